// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/contact/coulomb/block_reader.hpp"
#include "slipstick/contact/coulomb/condensed_products.hpp"
#include "slipstick/contact/coulomb/contact_nodes.hpp"
#include "slipstick/contact/coulomb/island_tasks.hpp"
#include "slipstick/contact/coulomb/islands.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

namespace slipstick::internal {

/// A contact problem u = W r + q in the form that the methods for Coulomb's law use. Its nodes are contacts
/// and joints (see ContactNodes). All have `dimension` rows. A row that a joint does not have is zero, and
/// its bounds are zero. Limits and motors are joints with bounds.
///
/// W is as given, symmetric or not. It is in square blocks of `dimension` rows, see BlockReader. These blocks
/// are the only copy of W in a solve. Products, sweeps and factorizations use them. Nodes are renumbered so
/// that the members of an island are neighbours. Everything here is in that order. gather() and scatter()
/// translate.
///
/// A condensed W = H' M^-1 H is known only by its products. Then products_only() is true, and the only blocks
/// are the diagonals of the diagonal blocks. If W = J M^-1 J' belongs to rigid bodies with many contacts
/// each, products go through the bodies.
///
/// The storage is kept: a problem of no more nodes and blocks allocates nothing. For the same W only q, mu
/// and the bounds are read again.
class ContactBlocks {
 public:
  void prepare(const LocalContactProblem& problem, const Settings& settings = {});
  /// Changes with W, and is unique among all objects. Data that depend only on W may be kept while it stays
  /// the same.
  std::uint64_t version() const { return version_; }

  int dimension() const { return dimension_; }
  /// True under the law of boxes, else Coulomb's law holds.
  bool has_boxes() const { return has_boxes_; }
  void set_boxes(bool value) { has_boxes_ = value; }
  /// True if W has no blocks off the diagonal, only products.
  bool products_only() const { return condensed_ != nullptr; }
  int nodes() const { return nodes_.count(); }
  int contacts() const { return nodes_.contacts(); }
  std::span<const Island> islands() const { return islands_.list(); }
  /// Their threads.
  const IslandTasks& tasks() const { return tasks_; }

  /// The node of a row of the problem, in this order.
  int node_of(int row) const { return islands_.number(nodes_.node(row)); }

  /// Blocks of node i: k in [start()[i], start()[i + 1]), ascending columns()[k]. The diagonal block is
  /// always present. Entry (a, c) of a block is block(k)[dimension() * c + a].
  const std::vector<int>& start() const { return reader_.start(); }
  const std::vector<int>& columns() const { return reader_.columns(); }
  /// True if the island is a group of contacts that do not touch each other (see Islands).
  bool has_lone_contacts(const Island& island) const {
    const auto first = static_cast<std::size_t>(island.begin);
    return island.nodes() > 1 && !island.has_joints() && !products_only() &&
           start()[first + 1] - start()[first] == 1;
  }
  const double* block(int k) const { return reader_.block(k); }
  int diagonal(int i) const { return reader_.diagonal(i); }
  /// dimension() numbers per node.
  const double* q(int i) const { return q_.data() + static_cast<Index>(i) * dimension_; }
  const Vector& q() const { return q_; }
  /// Of contacts. Joints have 0.
  double mu(int i) const { return mu_[i]; }
  /// The ruler's d of a contact: the mean diagonal of its block, or 1 if that is not positive. For a joint it
  /// is the mean of the d of its rows.
  double scale(int i) const { return scale_[i]; }
  /// The ruler's weight of a contact in squares.
  double weight(int i) const { return has_joints() ? 1.0 / scale_[i] : 1.0; }

  bool has_joints() const { return nodes() > contacts(); }
  /// Row a of joint i: the ruler's d, and the bounds of its impulse.
  double row_scale(int i, int a) const { return row_scale_[static_cast<Index>(i) * dimension_ + a]; }
  double lower(int i, int a) const { return lower_[static_cast<Index>(i) * dimension_ + a]; }
  double upper(int i, int a) const { return upper_[static_cast<Index>(i) * dimension_ + a]; }
  /// True for the row of a joint without bounds.
  bool is_free(int i, int a) const { return lower(i, a) == -infinity && upper(i, a) == infinity; }
  /// x in the bounds of row a of joint i.
  double clamp(int i, int a, double x) const { return std::min(std::max(x, lower(i, a)), upper(i, a)); }

  /// True if a contact closes, or a joint moves, although no impulse can change it.
  bool has_hopeless_row() const;

  /// ||q||, and the same with the weights of the ruler.
  double norm() const { return norm_; }
  double weighted_norm() const { return weighted_norm_; }

  /// u = W r + q of the island. The vectors have all islands. Threads may call it for different islands at
  /// the same time.
  void velocities(const Island& island, const Vector& r, Vector& u) const;

  /// The compliance of the rows in this order, the diagonal C of W = H' M^-1 H + C. It is empty if it is zero
  /// or not known.
  const Vector& compliance() const { return compliance_; }
  double compliance(int i, int a) const {
    return compliance_.size() > 0 ? compliance_[static_cast<Index>(i) * dimension_ + a] : 0.0;
  }

  /// M and, by rows in this order, H' of W = H' M^-1 H + C.
  struct Bodies {
    CsrMatrix mass, rows;
    CsrMatrix given_rows = {};     ///< scratch: in the order of the problem
    DenseMatrix block = {};        ///< scratch: block of a body
    std::vector<int> number = {};  ///< scratch: a number for each degree of freedom, -1 between uses
  };
  /// Returns false if M and H are not known.
  bool copy_bodies(Bodies& to) const;
  /// W as an operator over bodies, in the order of the problem. Null if it is not one.
  const DelassusOperator* bodies() const;
  /// The number of node i in the problem.
  int given(int i) const { return islands_.order()[static_cast<std::size_t>(i)]; }

  /// From the order of the problem to this one, and back.
  void gather(const Vector& r, Vector& own) const;
  void scatter(const Vector& own, Vector& r) const;

 private:
  std::size_t block_entries() const { return static_cast<std::size_t>(dimension_) * dimension_; }
  void for_rows(const auto& row) const;
  void read_matrix(const Settings& settings);
  void set_scale();
  void set_compliance();
  void set_bounds(const LocalContactProblem& problem);
  void set_norms();
  void find_immovable();
  const DelassusOperator* cheaper_graph() const;

  int dimension_ = 3;
  bool has_boxes_ = false;
  std::uint64_t version_ = 0;
  Operator seen_;
  bool read_ = false;                             // all of seen_
  const CondensedOperator* condensed_ = nullptr;  // seen_, if it is a CondensedOperator
  mutable CondensedProducts products_;            // products of condensed_; islands write to different parts
  // The operator seen_, if products through the bodies are cheaper than by blocks.
  const DelassusOperator* graph_ = nullptr;
  ContactNodes nodes_;
  Islands islands_;
  IslandTasks tasks_;
  BlockReader reader_;
  std::vector<int> immovable_;  // nodes that no impulse can move: their u is q
  Vector q_, mu_, scale_, compliance_;
  Vector row_scale_, lower_, upper_;  // of joints, empty if there are none
  double norm_ = 0.0, weighted_norm_ = 0.0;
};

}  // namespace slipstick::internal
