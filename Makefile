# `make help` says what there is. PREFIX: where to install; JOBS: how many compilers run at once.
# SECONDS: how long each fuzzer runs.
PREFIX ?= /usr/local
JOBS ?= 2
SECONDS ?= 60

build_dir := build/release
taut := $(build_dir)/bin/taut

# While compiling: steps done, steps in all, seconds gone.
export NINJA_STATUS = [%f of %t, %e s] $(empty)

.DEFAULT_GOAL := build
.PHONY: help demo test ci-full build hunt fuzz install deb bench format tidy docs combinations clean

help:
	@echo 'make demo      install what is missing, build, run the slider-crank and say where the result lies'
	@echo 'make test      install what is missing, build, run every test'
	@echo 'make ci-full   what is too slow for every change: format, clang-tidy, sanitizers over the whole suite'
	@echo 'make build     install what is missing and build: $(taut)'
	@echo 'make hunt      2,000 random models with new seeds, to find runs that say "done" and are wrong'
	@echo 'make fuzz      what reads files and sockets against random bytes, SECONDS each ($(SECONDS)): a crash or a hang fails'
	@echo 'make install   build and install under PREFIX ($(PREFIX))'
	@echo 'make deb       build Debian packages in build/packages: taut, libtaut-dev, python3-taut, taut-doc, taut-mpi'
	@echo 'make bench     install the peers, measure, write benchmarks/results/PROCESSOR.json and docs/performance.md'
	@echo 'make format    apply clang-format to every source'
	@echo 'make tidy      run clang-tidy over library and program'
	@echo 'make docs      build the documentation site in build/docs; check links and the models in the docs'
	@echo 'make combinations  try every method with every partner, and write the table of docs/theory/combinations.md'
	@echo 'make clean     remove the build folder'

build:
	@scripts/install-dependencies build
	cmake --preset release -DTAUT_PYTHON=ON -DTAUT_TESTS=OFF -DTAUT_EXAMPLES=OFF
	@scripts/announce-build $(build_dir) $(JOBS)
	cmake --build $(build_dir) -j$(JOBS)

test:
	@scripts/install-dependencies build test
	cmake --preset release -DTAUT_PYTHON=ON -DTAUT_TESTS=ON -DTAUT_EXAMPLES=ON
	@scripts/announce-build $(build_dir) $(JOBS)
	cmake --build $(build_dir) -j$(JOBS)
	ctest --test-dir $(build_dir) -j$(JOBS) --output-on-failure

ci-full:
	@scripts/install-dependencies build test format tidy
	JOBS=$(JOBS) scripts/ci-full

hunt:
	@scripts/install-dependencies build test
	cmake --preset release -DTAUT_TESTS=ON
	cmake --build $(build_dir) -j$(JOBS) --target taut_hunt
	$(build_dir)/tests/taut_hunt --runs 2000 --seed-from clock

fuzz:
	@scripts/install-dependencies build fuzz
	cmake --preset fuzz
	cmake --build build/fuzz -j$(JOBS) --target taut_fuzzers
	scripts/fuzz build/fuzz $(SECONDS)

# The program alone: neither the Python module nor what else `make build` makes.
demo:
	@scripts/install-dependencies build
	cmake --preset release -DTAUT_PYTHON=ON -DTAUT_TESTS=OFF -DTAUT_EXAMPLES=OFF
	@scripts/announce-build $(build_dir) $(JOBS)
	cmake --build $(build_dir) -j$(JOBS) --target taut_program
	@scripts/demo $(taut) build/demo

install:
	@scripts/install-dependencies build
	cmake --preset release -DTAUT_PYTHON=ON -DTAUT_TESTS=OFF -DTAUT_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX='$(abspath $(PREFIX))'
	@scripts/announce-build $(build_dir) $(JOBS)
	cmake --build $(build_dir) -j$(JOBS)
	cmake --install $(build_dir)

deb:
	@scripts/install-dependencies build package
	cmake --preset release -DTAUT_PYTHON=ON -DTAUT_TESTS=OFF -DTAUT_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX=/usr
	@scripts/announce-build $(build_dir) $(JOBS)
	cmake --build $(build_dir) -j$(JOBS)
	cd $(build_dir) && cpack -G DEB -B ../packages

bench:
	@scripts/install-dependencies build bench
	cmake --preset bench
	cmake --build build/bench -j$(JOBS)
	scripts/bench build/bench/bin/taut

format:
	@scripts/install-dependencies format
	scripts/format

tidy:
	@scripts/install-dependencies build tidy
	scripts/tidy --jobs $(JOBS)

docs: build
	@scripts/install-dependencies docs
	scripts/write-reference $(taut)
	scripts/check-links
	scripts/check-snippets $(taut)
	scripts/build-docs $(taut) $(build_dir)/python build/docs
	@echo 'The site is build/docs/index.html'

combinations: build
	cmake --preset release -DTAUT_TESTS=ON
	cmake --build $(build_dir) -j$(JOBS) --target taut_conformance_test
	scripts/write-combinations $(taut) $(build_dir)/tests/taut_conformance_test docs/theory/combinations.md

clean:
	rm -rf build
