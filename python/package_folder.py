"""Where under a prefix the interpreter that runs this looks for packages: package_folder.py PREFIX

/usr/local has lib/python3.11/dist-packages on Debian, /usr lib/python3/dist-packages, a virtual environment
lib/python3.11/site-packages. A prefix that the interpreter does not know gets what it would have as a virtual environment.
"""

import os
import site
import sys
import sysconfig

prefix = os.path.realpath(sys.argv[1])
known = [os.path.relpath(os.path.realpath(folder), prefix) for folder in site.getsitepackages()]
below = [folder for folder in known if folder.split(os.sep)[0] in ("lib", "lib64")]
print(below[0] if below else sysconfig.get_path("platlib", "posix_prefix", {"base": ".", "platbase": "."}))
