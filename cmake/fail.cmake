# Ends a step of the build with a sentence of ours below what a tool said.
message(FATAL_ERROR "${MESSAGE}")
