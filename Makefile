# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# make demo, make test: install what is missing, build, run. See README.md; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: help setup build demo test test-asan check-includes tidy format check-format docs reference benchmarks bench study random-study cone-study melanz-study litven-study sequence-study warm-study step-study settling-study stand-study scene-study viewer-study heap-study rule-study stage-study preconditioner-study factorization-study limit-study game-study qp-study figures peers clean

JOBS ?= $(shell nproc)
SOURCES = $(shell git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh')
DATA ?= $(SLIPSTICK_DATA)
PEERS ?= --time-limit 5 --patience 10
RESULTS = bench/results/$(or $(SLIPSTICK_MACHINE),$(shell bench/describe-machine --name))

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## install the missing Debian packages (root or sudo)
	@scripts/setup

build: setup ## the release program: build/slipstick
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(JOBS) --target slipstick_cli

demo: build ## simulate a scene, make a page of it, solve a contact problem
	@scripts/demo

test: ## build and run every test
	@scripts/setup tests
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset release -j $(JOBS)

test-asan: ## every test under the address and undefined-behaviour sanitizers
	@scripts/setup tests
	@cmake --preset release > /dev/null
	@cmake --build --preset sanitized -j $(JOBS)
	@ctest --preset sanitized -j $(JOBS)

check-includes: setup ## compile every file of the library by itself, so that each includes what it uses
	@cmake --preset debug -B build-includes -DSLIPSTICK_PCH=OFF -DSLIPSTICK_UNITY=OFF -DSLIPSTICK_TESTS=OFF > /dev/null
	@cmake --build build-includes -j $(JOBS) --target slipstick_internal_io slipstick_internal_sim

tidy: setup ## static analysis with clang-tidy
	@cmake --preset release -B build-tidy -DSLIPSTICK_PCH=OFF -DSLIPSTICK_UNITY=OFF -DSLIPSTICK_TESTS=OFF > /dev/null
	@grep -o '"file": "[^"]*"' build-tidy/compile_commands.json | cut -d'"' -f4 | \
	  grep -E '^$(CURDIR)/(build-tidy/)?(slipstick|apps)/' | sort -u | xargs -P $(JOBS) -n 1 clang-tidy -p build-tidy --quiet --extra-arg=-Qunused-arguments

benchmarks: build
	@cmake --build --preset release -j $(JOBS) --target benchmarks

bench: benchmarks ## the kernels: products against a copy, projections, sweeps, SPIKE against LAPACK
	@bench/record bandwidth build build/slipstick-bandwidth
	@bench/record iteration build build/slipstick-iteration
	@bench/record micro build build/slipstick-micro --benchmark_format=csv
	@bench/record banded build build/slipstick-banded
	@bench/record dense build build/slipstick-dense
	@bench/record spike build build/slipstick-spike

study: benchmarks ## the UIC survey's study, in the plane and in space, and its figures
	@bench/record uic build build/slipstick-study uic $(STUDY)
	@bench/record uic3d build build/slipstick-study uic3d $(STUDY3D)
	@$(MAKE) --no-print-directory figures

random-study: benchmarks ## generated problems with bounds over sizes, conditions and degeneracy
	@bench/record random build build/slipstick-study random
	@bench/record random-large build build/slipstick-study random --rows 100000 --conditions 1,1e4,1e8 --jobs $(JOBS)

cone-study: benchmarks ## Heyn's test problems: packings with friction cones, and their figures
	@bench/record heyn-table build build/slipstick-study heyn-table
	@bench/record heyn build build/slipstick-study heyn $(CONES)
	@build/slipstick-study plot --out docs/figures $(RESULTS)/heyn.csv

litven-study: benchmarks ## Litven's banded QPs: one factorization against one per active set, and its figures
	@bench/record litven build build/slipstick-study litven $(LITVEN)
	@build/slipstick-study plot --out docs/figures $(RESULTS)/litven.csv

factorization-study: benchmarks ## our factorizations against CHOLMOD, KLU, UMFPACK and Eigen (scripts/setup peers)
	@bench/record factorizations build build/slipstick-factorizations $(FACTORIZATIONS)

preconditioner-study: benchmarks ## Incomplete Cholesky factors with conjugate gradients on heaps and chains, and the figures
	@bench/record preconditioners build build/slipstick-study preconditioners $(PRECONDITIONERS)
	@build/slipstick-study plot --out docs/figures $(RESULTS)/preconditioners.csv

melanz-study: benchmarks ## Melanz's comparison: spheres in a bucket by gradients and interior points, and its figures
	@bench/record melanz build build/slipstick-study melanz $(MELANZ)
	@build/slipstick-study plot --out docs/figures $(RESULTS)/melanz.csv

sequence-study: benchmarks ## slowly changing problems with warm starts, by pivoting and by gradients
	@bench/record sequence build build/slipstick-study sequence $(SEQUENCE)

rule-study: benchmarks ## rules for `auto` under Coulomb's law, and the one that fits them best; DATA is the folder of problem files
	@SLIPSTICK_DATA=$(DATA) bench/record rule build build/slipstick-study rule $(RULE)
	@bench/fit-rule $(RESULTS)/rule.csv

stage-study: benchmarks ## what every stage of `auto` under Coulomb's law is worth; DATA is the folder of problem files
	@SLIPSTICK_DATA=$(DATA) bench/record stages build build/slipstick-study stages $(STAGES)
	@bench/stage-use $(RESULTS)/stages.csv

warm-study: benchmarks ## every method from nothing and from the solution before
	@bench/record warm build build/slipstick-study warm $(WARM)

step-study: benchmarks ## steps of bodies: islands, joints, threads, and steps without a change
	@bench/record step build build/slipstick-study step $(STEP)

settling-study: benchmarks ## spheres that settle in a box: steps under Coulomb's law and under the convex one, and the figures
	@bench/record settling build build/slipstick-study settling $(SETTLING)
	@build/slipstick-study plot --out docs/figures $(RESULTS)/settling.csv

scene-study: benchmarks ## the scenes of Ho 2022 under three laws
	@bench/record scenes build build/slipstick-study scenes --laws coulomb --condition $(SCENES)
	@bench/record scenes-once build build/slipstick-study scenes --laws box-once $(SCENES)
	@bench/record scenes-box build build/slipstick-study scenes --laws box $(SCENES)
	@bench/record scene-methods build build/slipstick-study scene-methods --laws box --solvers auto,bpp,mprgp,nsgs,nsgs-fast,nsn,prox,shift-ipm --every 30 --step-limit 1 $(SCENES)

stand-study: benchmarks ## stacks, walls, cards, arches and a chain over many steps
	@bench/record stands build build/slipstick-study stands $(STANDS)

viewer-study: build ## frame rates and sizes of the pages of runs, in Chromium without a graphics card
	@scripts/setup tests
	@scripts/pages build/pages
	@bench/record page-sizes build bench/page-sizes build/pages/*.html
	@SLIPSTICK_VIEWER_PAGE=build/apps/viewer/page/viewer.html bench/record viewer build node bench/viewer/speed.mjs build/pages/wall.html

heap-study: build ## packings of 200 to 1,000 spheres under Coulomb's law, seeds that no constant was chosen on
	@bench/record heaps build bench/heaps build/slipstick 11 20

figures: benchmarks ## draw the figures of the documentation from the tables that are there
	@build/slipstick-study plot --out docs/figures $(RESULTS)/uic.csv $(RESULTS)/uic3d.csv

peers: ## the same problems by Siconos, Bullet and PETSc's TAO (installs them); DATA is the folder of problem files
	@scripts/setup peers
	@cmake --preset release -B build-peers -DSLIPSTICK_PEERS=ON -DSLIPSTICK_TESTS=OFF > /dev/null
	@cmake --build build-peers -j $(JOBS) --target slipstick-peer-tao slipstick-bench
	@OPENBLAS_NUM_THREADS=1 SLIPSTICK_DATA=$(DATA) \
	  bench/record peers build-peers build-peers/slipstick-bench peers --generated --csv - $(PEERS)
	@build-peers/slipstick-bench summary $(RESULTS)/peers.csv --figures docs/figures
	@OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	  bench/record tao build-peers build-peers/slipstick-peer-tao $(TAO)

game-study: benchmarks ## a thousand random games, which are degenerate LCPs
	@bench/record games build build/slipstick-study games $(GAMES)
	@$(MAKE) --no-print-directory docs

limit-study: build ## by how much solves exceed their time limits; every method, the largest generated problems
	@bench/record limits build bench/limits build/slipstick --jobs $(JOBS) $(LIMITS)
	@$(MAKE) --no-print-directory docs

qp-study: ## convex QPs by ours, Ipopt and Clp (installs them); DATA is the folder of problem files, if any
	@scripts/setup peers
	@cmake --preset release -B build-peers -DSLIPSTICK_PEERS=ON -DSLIPSTICK_TESTS=OFF > /dev/null
	@cmake --build build-peers -j $(JOBS) --target slipstick-qp-bench
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 SLIPSTICK_DATA=$(DATA) \
	  bench/record qps build-peers build-peers/slipstick-qp-bench peers --qps --only qp/ --measure natural-map \
	  --tolerance 1e-6 --time-limit 20 --patience 3 --lead 10 --cold --ours auto,qp-ipm --jobs $(JOBS) --csv - $(QPS)
	@build-peers/slipstick-qp-bench summary $(RESULTS)/qps.csv --figures docs/figures
	@$(MAKE) --no-print-directory docs

format: ## rewrite the sources in the house format
	@clang-format -i $(SOURCES)

check-format:
	@clang-format --dry-run --Werror $(SOURCES)

docs: setup ## bring the generated tables of docs/ up to date
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(JOBS) --target slipstick_docs
	@build/slipstick-docs $(wildcard docs/*.md)

reference: ## the API reference of the public headers, by Doxygen; warnings are errors
	@scripts/setup reference
	@mkdir -p build
	@doxygen docs/Doxyfile
	@echo "$(CURDIR)/build/reference/html/index.html"

clean: ## remove what was built
	@rm -rf build build-includes build-debug build-tidy build-peers
