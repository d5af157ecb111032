// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/contact_methods.hpp"

#include <gtest/gtest.h>

#include <set>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/contact/sequence/staggered.hpp"
#include "slipstick/error.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::contact_methods_test {

using enum FrictionLaw;

std::string complaint(FrictionLaw law, int dimension, std::string_view solver, const Options& options = {},
                      const AnySettings& typed = {}) {
  return message_of([&] { make_contact_solver(law, dimension, solver, options, typed); });
}

// A word means one thing: a method, a law or a measure.
TEST(ContactMethods, NamesAreNoLawsMeasuresOrConvexSolvers) {
  std::set<std::string_view> words;
  for (const FrictionLaw law : {none, convex, coulomb, diamond, box}) words.insert(name(law));
  for (const MeasureName& measure : measure_names()) words.insert(measure.name);
  for (const CatalogRow& row : catalog()) EXPECT_TRUE(words.insert(row.name).second) << row.name;
  for (const ContactMethod& row : contact_methods()) EXPECT_TRUE(words.insert(row.name).second) << row.name;
}

TEST(ContactMethods, SolversInsideSequences) {
  EXPECT_EQ(contact_solver_name(coulomb, 3, "auto"), "auto");
  EXPECT_EQ(contact_solver_name(box, 3, "auto"), "auto");
  EXPECT_EQ(contact_solver_name(box, 2, "auto"), "auto");
  EXPECT_EQ(contact_solver_name(coulomb, 3, "desaxce-fixed-point"), "desaxce-fixed-point(ipm)");
  EXPECT_EQ(contact_solver_name(coulomb, 3, "apgd"), "desaxce-fixed-point(apgd)");
  EXPECT_EQ(contact_solver_name(diamond, 3, "bpp"), "box-sequence(bpp)");
  EXPECT_EQ(contact_solver_name(coulomb, 3, "staggered"), "staggered(mprgp, apgd)");
  EXPECT_EQ(contact_solver_name(coulomb, 2, "staggered"), "staggered(mprgp, mprgp)");
  EXPECT_EQ(contact_solver_name(diamond, 3, "bpp+pgs"), "staggered(bpp, pgs)");
  EXPECT_EQ(contact_solver_name(coulomb, 3, "nsgs"), "nsgs");
}

TEST(ContactMethods, WhatIsRefused) {
  EXPECT_TRUE(takes_contacts(coulomb, 2, "schurpa-sp"));
  EXPECT_FALSE(takes_contacts(coulomb, 3, "schurpa-sp"));
  for (const std::string_view solver : {"ncp-ipm", "pgs+pgs", "pgs+", "+pgs", "", "nobody", "pgs+pgs+pgs"})
    EXPECT_FALSE(takes_contacts(box, 2, solver)) << solver;
  EXPECT_FALSE(takes_contacts(convex, 3, "auto"));
  EXPECT_NE(complaint(coulomb, 3, "desaxce").find("desaxce-fixed-point"), std::string::npos);
  EXPECT_NE(complaint(box, 3, "box").find("box-sequence"), std::string::npos);
  EXPECT_THROW(check_solver("nobody", none), Error);
  EXPECT_THROW(check_solver("staggered", box), Error);
  EXPECT_NO_THROW(check_solver("staggered", coulomb));
  EXPECT_NO_THROW(check_solver("lemke", coulomb));
}

TEST(ContactMethods, OptionsReachTheMethodTheyAreFor) {
  EXPECT_EQ(complaint(box, 3, "bpp", {{"regularization", "1e-3"}, {"bpp.pivot_limit", "5"}}), "");
  EXPECT_EQ(complaint(coulomb, 3, "ipm", {{"desaxce-fixed-point.memory", "2"}}), "");
  EXPECT_EQ(complaint(coulomb, 3, "desaxce-fixed-point", {{"memory", "2"}, {"ipm.correctors", "3"}}), "");
  EXPECT_EQ(complaint(coulomb, 3, "bpp+apgd", {{"proximal", "0.1"}, {"bpp.pivot_limit", "5"}}), "");
  for (const Options& wrong :
       {Options{{"memory", "2"}}, Options{{"bpp.colour", "1"}}, Options{{"box-sequence.memory", "1"}},
        Options{{"ipm.correctors", "3"}}, Options{{"pivot_limit", "5"}, {"bpp.pivot_limit", "6"}}})
    EXPECT_NE(complaint(box, 3, "bpp", wrong), "") << wrong.begin()->first;
  EXPECT_EQ(complaint(box, 3, "bpp", {}, BppSettings{}), "");
  EXPECT_EQ(complaint(coulomb, 3, "bpp+apgd", {}, StaggeredSettings{}), "");
  EXPECT_NE(complaint(box, 3, "bpp", {}, StaggeredSettings{}), "");
}

}  // namespace slipstick::internal::contact_methods_test
