// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Files that are wrong in every way we could think of, and in a few thousand more. Reading them gives an
// Error with a message, or a problem, and nothing else.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/io/market_problem.hpp"
#include "slipstick/io/matrix_market.hpp"
#include "slipstick/io/qps.hpp"
#include "slipstick/io/siconos.hpp"
#include "tests/io/hdf5_testing.hpp"
#include "tests/io/io_testing.hpp"

namespace slipstick::internal::malformed_test {

namespace fs = std::filesystem;

// The message names the file, and reading took no memory to speak of.
void expect_refused(const fs::path& path) {
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_SELF, &before);
  const std::string message = read_error(path);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_TRUE(has(message, path.stem().string()));
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 256 * 1024) << "kB for " << path << ": " << message;
}

TEST(Malformed, Texts) {
  const ScratchFolder folder;
  const std::string csparse = "CSparse Version 3.1.9\n";
  const std::vector<std::string> texts = {
      "",
      " \n\n",
      "hello",
      "4",
      "-4 0 4 4",
      "2147483647 0 2147483647 2147483647 2147483647 2147483647 1",  // huge
      "2147483648 0 2147483648 2147483648 2147483648 2147483648 1",  // over
      "99999999999999999999999 0 1 1",                               // far over
      "3 715827882 2 2147483646 2147483646 1\n" + csparse +
          "triplet: 2147483646-by-2147483646, nzmax: 1 nnz: 0\n",
      "3 715827883 0 2147483649 2147483649",  // dim * nc over
      "2 0 2 2 2 2 1 2 3",                    // too few values
      "2 0 2 2 2 2 1 2 3 4 5",                // q too short
      "2 0 2 2 2 3 1 2 3 4 5 6 7 8",          // sizes that differ
      "2 0 2 3 2 3 1 2 3 4 5 6 7 8",          // not square
      "2 0 2 2 2 2 1 2 3 nan 5 6",
      "2 0 2 2 2 2 1 2 3 inf 5 6",
      "2 0 2 2 2 2 1 2 3 4 5 1e999",
      "2 0 2 2 2 2 1 2 3 4,5 6",
      "2 3 2 2 2 2 1 2 3 4 5 6",                                // no such storage
      "2 1 2 2 -1",                                             // negative number of blocks
      "2 1 2 2 1 1 1 3 2 2 1 0 1 0 0 1 2 3 4 5 6",              // block sizes past the matrix
      "2 1 2 2 2147483647 1 1 2 2 2 1 0 1 0 0 1 2 3 4 5 6",     // huge number of blocks
      "2 1 2 2 1 2147483647 1 2 2 2 1 0 1 0 0 1 2 3 4 5 6",     // huge number of block rows
      "2 1 2 2 1 1 1 2 2 2 1 0 2 0 0 1 2 3 4 5 6",              // row pointers past the blocks
      "2 1 2 2 1 1 1 2 2 2 1 0 1 1 0 1 2 3 4 5 6",              // block column outside
      "2 1 2 2 1 1 1 2 2 2 1 0 1 0 7 1 2 3 4 5 6",              // wrong block number
      "2 1 2 2 2 1 1 2 2 2 2 0 2 0 0 0 1 2 3 4 1 1 2 3 4 5 6",  // a block twice
      "2 1 2 2 1 2 1 2 1 2 3 1 0 1 1 0 0 1 2 3 4 5 6",          // falling block sizes
      "2 2 2 2 9\n" + csparse,                                  // no such origin
      "2 2 2 2 1\n" + csparse + "triplet: 2-by-2, nzmax: 2147483647 nnz: 2147483647\n0 0 : 1\n5 6",
      "2 2 2 2 1\n" + csparse + "triplet: 2-by-2, nzmax: 1 nnz: 2\n0 0 : 1\n1 1 : 1\n5 6",  // nnz > nzmax
      "2 2 2 2 1\n" + csparse + "triplet: 2-by-2, nzmax: 1 nnz: 1\n2 0 : 1\n5 6",           // row outside
      "2 2 2 2 1\n" + csparse + "triplet: 2-by-2, nzmax: 1 nnz: 1\n0 -1 : 1\n5 6",          // column outside
      "2 2 2 2 1\n" + csparse + "triplet: 3-by-2, nzmax: 1 nnz: 1\n0 0 : 1\n5 6",           // other sizes
      "2 2 2 2 1\n" + csparse + "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\n0 0 : 1\n5 6",         // not triplets
      "2 2 2 2 2\n" + csparse + "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 5\n0 : 1\n5 6",
      "2 2 2 2 2\n" + csparse + "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 1 : locations 0 to 0\n0 : 1\n5 6",
      "2 2 2 2 2\n" + csparse +
          "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to -1\ncol 1 : locations 0 to -1\n5 6",
      "0 0 1 1",                                  // mixed LCP without storage
      "1 0 1 1 1 2 0 1 0 2 2 2 2 1 0 0 1 5 6",    // blocks do not start at 0
      "1 0 1 1 0 3 0 1 0 2 2 2 2 1 0 0 1 5 6",    // blocks past the rows
      "1 0 2147483647 2147483647 0 1",            // huge
      "0 1 2147483647 0 1 2 3",                   // n * n over
      "1 0 1 1 0 1 2 0 2 0 2 2 2 2 1 0 0 1 5 6",  // neither equality nor complementarity
      "4 1 0 4 4 4 4",                            // dimension 4
      "3 -1 0 3 3",                               // negative number of contacts
      "2 1 0 2 2 2 2 1 0 0 1 5 6 0.3 \x89HDF",    // (reads: prose behind the problem)
  };
  for (std::size_t k = 0; k + 1 < texts.size(); ++k) {
    SCOPED_TRACE(texts[k]);
    expect_refused(folder.file("bad" + std::to_string(k) + ".dat", texts[k]));
  }
  EXPECT_NO_THROW(read_problem(folder.file("good.dat", texts.back())));
}

TEST(Malformed, EveryCutOfAText) {
  const ScratchFolder folder;
  const std::string text = "2\n1\n0\n2\n2\n2 2\n3.5 0.5\n0.25 4.5\n-1.5 -2.5\n0.3\n";
  for (std::size_t length = 0; length < text.find("0.3"); ++length)
    expect_refused(folder.file("cut.dat", text.substr(0, length)));
}

TEST(Malformed, MatrixMarket) {
  const ScratchFolder folder;
  folder.file("bad.q.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  for (const std::string& text : std::vector<std::string>{
           "%%MatrixMarket",
           "%%MatrixMarket\n",
           "%%MatrixMarket vector coordinate real general\n2 2 0\n",
           "%%MatrixMarket matrix table real general\n2 2 0\n",
           banner,
           banner + "2 2",
           banner + "2 2 -1",
           banner + "2 2 1\n",
           banner + "2 2 1\n1 1\n",
           banner + "2 2 1\n3 1 1\n",
           banner + "2 2 1\n1 0 1\n",
           banner + "2 2 1\n1 1 nan\n",
           banner + "2 2 1\n1 1 inf\n",
           banner + "2 2 1\n1 1 1\n1 1 1\n",
           banner + "2 2 2147483647\n1 1 1\n",
           banner + "2147483647 2147483647 0\n",
           banner + "99999999999 99999999999 0\n",
           banner + "3 3 0\n",
           banner + "2 3 0\n",
           "%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n",
           "%%MatrixMarket matrix array real symmetric\n2147483647 2147483647\n1\n",
           "%%MatrixMarket matrix array real symmetric\n2 3\n1\n2\n3\n",
           banner + "%slipstick: type square\n2 2 0\n",
           banner + "%slipstick: type lcp\n%slipstick: parts\n%slipstick: type lcp\n2 2 0\n",
           banner + "%slipstick: type local_contact\n2 2 0\n",
           banner + "%slipstick: type problem\n2 2 0\n"}) {
    SCOPED_TRACE(text);
    expect_refused(folder.file("bad.mtx", text));
  }
  folder.file("bad.mtx", banner + "2 2 0\n");
  EXPECT_NO_THROW(read_problem(folder / "bad.mtx"));
  for (const char* q : {"", "x", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n",
                        "%%MatrixMarket matrix array real general\n2147483647 1\n1\n2\n",
                        "%%MatrixMarket matrix array real general\n2 1\n1\ninf\n",
                        "%%MatrixMarket matrix coordinate real general\n2147483647 1 0\n"}) {
    folder.file("bad.q.mtx", q);
    expect_refused(folder / "bad.mtx");
  }
}

TEST(Malformed, NotFiles) {
  const ScratchFolder folder;
  fs::create_directory(folder / "sub.hdf5");
  for (const fs::path& path :
       {folder / "sub.hdf5", folder / "missing.mtx", folder / "missing/a.dat", fs::path("/dev/zero")})
    EXPECT_FALSE(read_error(path).empty());
}

// What is done to a good file, under a name.
using Damage = std::function<void(Hdf5Editor&)>;

void expect_damage_refused(const std::map<std::string, Damage>& damages,
                           void (*write_good)(const fs::path&)) {
  const ScratchFolder folder;
  for (const auto& [name, damage] : damages) {
    SCOPED_TRACE(name);
    write_good(folder / "bad.hdf5");
    {
      Hdf5Editor editor(folder / "bad.hdf5");
      damage(editor);
    }
    expect_refused(folder / "bad.hdf5");
  }
}

Damage without(const char* name) {
  return [name](Hdf5Editor& file) { file.remove(name); };
}
Damage with(const char* name, std::vector<int> values) {
  return [name, values](Hdf5Editor& file) { file.replace(name, values); };
}
Damage with(const char* name, std::vector<double> values) {
  return [name, values](Hdf5Editor& file) { file.replace(name, values); };
}

TEST(Malformed, FclibLocal) {
  expect_damage_refused(
      {
          {"no problem", without("/fclib_local")},
          {"no matrix", without("/fclib_local/W")},
          {"no vectors", without("/fclib_local/vectors")},
          {"no q", without("/fclib_local/vectors/q")},
          {"no mu", without("/fclib_local/vectors/mu")},
          {"no dimension", without("/fclib_local/spacedim")},
          {"no p", without("/fclib_local/W/p")},
          {"no x", without("/fclib_local/W/x")},
          {"no nz", without("/fclib_local/W/nz")},
          {"dimension 5", with("/fclib_local/spacedim", std::vector<int>{5})},
          {"two dimensions", with("/fclib_local/spacedim", std::vector<int>{2, 2})},
          {"too many rows", with("/fclib_local/W/m", std::vector<int>{3})},
          {"huge", with("/fclib_local/W/n", std::vector<int>{2147483647})},
          {"negative", with("/fclib_local/W/m", std::vector<int>{-2})},
          {"no such storage", with("/fclib_local/W/nz", std::vector<int>{-3})},
          {"nz > nzmax", with("/fclib_local/W/nz", std::vector<int>{5})},
          {"triplets with pointers", with("/fclib_local/W/nz", std::vector<int>{4})},
          {"pointer start", with("/fclib_local/W/p", std::vector<int>{1, 2, 4})},
          {"pointers fall", with("/fclib_local/W/p", std::vector<int>{0, 3, 2})},
          {"pointers past the entries", with("/fclib_local/W/p", std::vector<int>{0, 2, 5})},
          {"negative pointer", with("/fclib_local/W/p", std::vector<int>{0, -1, 4})},
          {"too few pointers", with("/fclib_local/W/p", std::vector<int>{0, 4})},
          {"column outside", with("/fclib_local/W/i", std::vector<int>{0, 2, 0, 1})},
          {"negative column", with("/fclib_local/W/i", std::vector<int>{0, -1, 0, 1})},
          {"more columns than values", with("/fclib_local/W/i", std::vector<int>{0, 1, 0, 1, 0})},
          {"NaN in W", with("/fclib_local/W/x", std::vector<double>{1, NAN, 1, 1})},
          {"infinity in q", with("/fclib_local/vectors/q", std::vector<double>{INFINITY, 1})},
          {"NaN in mu", with("/fclib_local/vectors/mu", std::vector<double>{NAN})},
          {"q too short", with("/fclib_local/vectors/q", std::vector<double>{1})},
          {"mu too long", with("/fclib_local/vectors/mu", std::vector<double>{1, 1})},
          {"whole numbers for q", with("/fclib_local/vectors/q", std::vector<int>{1, 2})},
          {"fractions for p", with("/fclib_local/W/p", std::vector<double>{0, 2, 4})},
          {"V alone", with("/fclib_local/V/m", std::vector<int>{2})},
          {"s alone", with("/fclib_local/vectors/s", std::vector<double>{1})},
          {"wide index",
           [](Hdf5Editor& file) {
             const long long p[] = {0, 2, 4294967300};
             file.replace("/fclib_local/W/p", H5T_NATIVE_LLONG, {3}, p);
           }},
          {"q of rank 2",
           [](Hdf5Editor& file) {
             const double q[] = {1, 2};
             file.replace("/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, {2, 1}, q);
           }},
          {"text for q",
           [](Hdf5Editor& file) { file.replace("/fclib_local/vectors/q", H5T_C_S1, {2}, "ab"); }},
          {"a group for q",
           [](Hdf5Editor& file) {
             file.remove("/fclib_local/vectors/q");
             file.replace("/fclib_local/vectors/q/q", std::vector<double>{1, 2});
           }},
          {"a dataset for W", with("/fclib_local/W", std::vector<double>{1, 2})},
          {"q with more entries than the file has bytes",
           [](Hdf5Editor& file) { file.replace_by_unwritten("/fclib_local/vectors/q", 2000000000, 1000); }},
          {"q with more entries than an int can count",
           [](Hdf5Editor& file) { file.replace_by_unwritten("/fclib_local/vectors/q", 5000000000, 1000); }},
          {"q in one huge chunk",
           [](Hdf5Editor& file) { file.replace_by_unwritten("/fclib_local/vectors/q", 2, 400000000); }},
      },
      [](const fs::path& path) { write_small_local(path); });
}

TEST(Malformed, FclibGlobal) {
  expect_damage_refused(
      {
          {"no M", without("/fclib_global/M")},
          {"no H", without("/fclib_global/H")},
          {"no f", without("/fclib_global/vectors/f")},
          {"no w", without("/fclib_global/vectors/w")},
          {"more triplets than arrays", with("/fclib_global/H/nz", std::vector<int>{3})},
          {"arrays that differ", with("/fclib_global/H/p", std::vector<int>{0})},
          {"rows and columns exchanged", with("/fclib_global/H/p", std::vector<int>{2, 0})},
          {"negative row", with("/fclib_global/H/i", std::vector<int>{-1, 0})},
          {"G alone", with("/fclib_global/G/m", std::vector<int>{3})},
          {"b alone", with("/fclib_global/vectors/b", std::vector<double>{1})},
          {"f too long", with("/fclib_global/vectors/f", std::vector<double>{1, 2, 3, 4})},
      },
      [](const fs::path& path) { write_small_global(path); });
}

TEST(Malformed, EveryCutOfAnHdf5File) {
  const ScratchFolder folder;
  write_small_local(folder / "good.hdf5");
  const std::string bytes = bytes_of(folder / "good.hdf5");
  for (std::size_t length = 0; length < bytes.size(); length += 37)
    expect_refused(folder.file("cut.hdf5", std::string_view(bytes).substr(0, length)));
}

// Flips, overwrites, cuts and doubles bytes; the file is read or refused.
class Mutations {
 public:
  explicit Mutations(std::uint64_t seed) : random_(seed) {}

  std::string operator()(std::string bytes) {
    const auto changes = 1 + random_.below(4);
    for (std::int64_t k = 0; k < changes && !bytes.empty(); ++k) {
      const auto at = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(bytes.size())));
      switch (random_.below(6)) {
        case 0:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << random_.below(8)));
          break;
        case 1:
          bytes[at] = static_cast<char>(random_.below(256));
          break;
        case 2:
          bytes[at] = "0123456789 -+.einfa\n:,%#"[random_.below(24)];
          break;
        case 3:
          bytes.erase(at, static_cast<std::size_t>(random_.below(8)));
          break;
        case 4:
          bytes.insert(at, bytes.substr(at, static_cast<std::size_t>(random_.below(8))));
          break;
        default:
          bytes[at] = static_cast<char>(random_.below(2) == 0 ? 0xff : 0x7f);
      }
    }
    return bytes;
  }

 private:
  Random random_;
};

// How many of `count` mutations can be read; anything but an Error with a message ends the test.
int accepted_mutations(const std::string& good, int count, std::uint64_t seed,
                       const std::function<void(const std::string&)>& read) {
  Mutations mutate(seed);
  int accepted = 0;
  for (int k = 0; k < count; ++k) {
    const std::string bytes = mutate(good);
    try {
      read(bytes);
      ++accepted;
    } catch (const Error& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    }
  }
  return accepted;
}

TEST(Malformed, MutatedTexts) {
  const std::map<std::string, std::string> texts = {
      {"lcp.dat",
       "2\n1\n2\n2\n1\n1\n1\n2\t\n2\t\n2\n1\n0\t1\t\n0\t\n0\n 2.0e+00\n 1.0\n 1.0\n 2.0\n -5.0 -6.0\n"},
      {"mlcp.dat",
       "1\n1\n1\n2\n0 1 3\n0 1\n0\n3\n3\n3 3\n1 0 5\n2 3 0\n0 4 6\n7 8 9\n1\n3 4\n0 6\n2 0\n0\n5\n7\n8 9\n"},
      {"contact.dat", "2\n1\n0\n2\n2\n2 2\n3 0.5\n0.25 4\n-1 -2\n0.3\n1\n"},
      {"global.dat",
       "2\n1\n2\n3\n3\n1\nCSparse Version 3.1.9, May 4, 2016\ntriplet: 3-by-3, nzmax: 3 nnz: 3\n    0 0 : "
       "1\n    1 1 : 2\n"
       "    2 2 : 3\n2\n3\n2\n2\nCSparse Version 3.1.9, May 4, 2016\n3-by-2, nzmax: 2 nnz: 2, 1-norm: 1\n"
       "    col 0 : locations 0 to 0\n      2 : 1\n    col 1 : locations 1 to 1\n      0 : -1\n1 2 3 4 5 "
       "0.4\n"}};
  for (const auto& [name, text] : texts) {
    EXPECT_NO_THROW(read_siconos(text, name, std::nullopt)) << name;
    const int accepted = accepted_mutations(
        text, 5000, 1, [](const std::string& bytes) { read_siconos(bytes, "mutated.dat", std::nullopt); });
    EXPECT_GT(accepted, 0) << name;
    EXPECT_LT(accepted, 5000) << name;
  }
}

TEST(Malformed, MutatedQps) {
  const std::string text =
      "NAME          test\nROWS\n N  f\n G  r1\n E  r2\nCOLUMNS\n    x         f  1.5e+00   r1  2\n"
      "    y         r2        -1\nRHS\n    RHS       f  3         r1  4\nRANGES\n    RNG       r1  1\n"
      "BOUNDS\n UP BND       x  7\n MI BND       y\nQUADOBJ\n    x         x  2\n    x         y  "
      "1\nENDATA\n";
  EXPECT_NO_THROW(read_qps(text, "good.qps"));
  const int accepted =
      accepted_mutations(text, 10000, 5, [](const std::string& bytes) { read_qps(bytes, "mutated.qps"); });
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 10000);
}

TEST(Malformed, MutatedMatrixMarket) {
  const ScratchFolder folder;
  write_problem(folder / "p.mtx", quadratic_example());
  const int main_accepted =
      accepted_mutations(bytes_of(folder / "p.mtx"), 2000, 2,
                         [&](const std::string& bytes) { read_matrix_market(bytes, folder / "p.mtx"); });
  EXPECT_GT(main_accepted, 0);
  EXPECT_LT(main_accepted, 2000);
  for (const char* part : {"p.b.mtx", "p.sets", "p.G.mtx", "p.G.lower.mtx", "p.solution.csv"}) {
    const std::string good = bytes_of(folder / part);
    const int accepted = accepted_mutations(good, 200, 3, [&](const std::string& bytes) {
      folder.file(part, bytes);
      read_problem(folder / "p.mtx");
    });
    EXPECT_GT(accepted, 0) << part;
    EXPECT_LT(accepted, 200) << part;
    folder.file(part, good);
  }
}

TEST(Malformed, MutatedHdf5) {
  const ScratchFolder folder;
  write_problem(folder / "local.hdf5", local_example());
  write_small_global(folder / "global.hdf5");
  for (const char* name : {"local.hdf5", "global.hdf5"}) {
    const int accepted = accepted_mutations(bytes_of(folder / name), 600, 4, [&](const std::string& bytes) {
      read_problem(folder.file("mutated.hdf5", bytes));
    });
    EXPECT_GT(accepted, 0) << name;
    EXPECT_LT(accepted, 600) << name;
  }
}

}  // namespace slipstick::internal::malformed_test
