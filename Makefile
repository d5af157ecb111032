# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# make demo, make test: install what is missing, build, run. See README.md; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: help setup build demo test test-asan tidy format check-format docs peers bench clean

JOBS ?= $(shell nproc)
SOURCES = $(shell git ls-files '*.hpp' '*.cpp')

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## install the missing Debian packages (root or sudo)
	@scripts/setup

build: setup ## the release program: build/slipstick
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(JOBS)

demo: build ## solve a built-in example and show the result
	@scripts/demo

test: build ## build and run every test
	@ctest --preset release -j $(JOBS)

test-asan: setup ## the tests under the address and undefined-behaviour sanitizers
	@cmake --preset asan-ubsan > /dev/null
	@cmake --build --preset asan-ubsan -j $(JOBS)
	@ctest --preset asan-ubsan -j $(JOBS)

tidy: build ## static analysis with clang-tidy
	@git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy -p build --quiet

format: ## rewrite the sources in the house format
	@clang-format -i $(SOURCES)

check-format:
	@clang-format --dry-run --Werror $(SOURCES)

docs: setup ## bring the generated tables of README.md and docs/ up to date
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(JOBS) --target slipstick_docs
	@build/slipstick-docs README.md $(wildcard docs/*.md)

clean: ## remove what was built
	@rm -rf build build-debug build-asan-ubsan
