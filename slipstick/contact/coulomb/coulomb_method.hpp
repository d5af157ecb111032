// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/measures/contact_error.hpp"
#include "slipstick/solve/monitor.hpp"
#include "slipstick/solve/result.hpp"

namespace slipstick {

/// What is asked of a piece: its errors, before they are divided by anything, under both rulers of contact
/// problems.
struct CoulombTarget {
  double scaled = 0.0;     ///< ||(d_i e_i, residual)||, e_i = r_i - P(r_i - u^_i / d_i)
  double published = 0.0;  ///< ||(r_i - P(r_i - u^_i), residual)||
  /// The second may also be this times the norm of all impulses, or of all velocities, of which the squares
  /// of those outside the piece are given.
  double relative = 0.0;
  double squared_impulses = 0.0, squared_velocities = 0.0;
  double change = 0.0;  ///< of r per iteration, times d, at which it may be met, about
};

/// A method for contact under Coulomb's law on one connected piece,
///     u = W r + V l + q,  0 = V' r + R l + s,
///     r in the cone of mu, u^ = u + (mu ||u_T||, 0, 0) in its dual, r'u^ = 0 for every contact,
/// with W as given. The object is a workspace.
class CoulombMethod {
 public:
  struct Run {
    const ContactBlocks& blocks;
    ContactBlocks::Piece piece;
    CoulombTarget target;
    Monitor& monitor;  ///< its tolerance is 1: errors are relative to the target
    Counts& counts;
    Vector& r;  ///< of all pieces; in: where to start, out: the best answer of this piece
    Vector& l;
    int threads = 1;
    bool warm = false;  ///< r is expected to be near the solution
  };
  virtual ~CoulombMethod() = default;
  virtual std::string_view name() const = 0;
  /// It reads the blocks of W off the diagonal (see ContactBlocks::has_rows).
  virtual bool needs_rows() const { return false; }
  /// Where the caller has none.
  virtual int default_max_iterations() const { return 1000; }
  /// Improves r and l in the rows of the piece; what it believes is in run.monitor.status().
  virtual void run(const Run& run) = 0;
};

/// The rows of the piece of a vector of all pieces.
inline auto piece_of(const CoulombMethod::Run& run, const Vector& r) {
  const Index d = run.blocks.dimension();
  return r.segment(d * run.piece.begin, d * run.piece.contacts());
}
/// Copies the rows of the piece.
inline void copy_piece(const CoulombMethod::Run& run, const Vector& r, const Vector& l, Vector& to_r,
                       Vector& to_l) {
  const Index d = run.blocks.dimension();
  to_r.segment(d * run.piece.begin, d * run.piece.contacts()) = piece_of(run, r);
  to_l.segment(run.piece.first_row, run.piece.rows()) = l.segment(run.piece.first_row, run.piece.rows());
}

/// What both rulers see of a piece, its bilateral rows included.
using PieceErrors = CoulombErrors;
/// `u` and `residual` are those of r, l (ContactBlocks::velocities).
inline PieceErrors piece_errors(const ContactBlocks& blocks, const ContactBlocks::Piece& piece,
                                const Vector& r, const Vector& u, const Vector& residual) {
  PieceErrors errors;
  const auto add = [&]<int d>() {
    for (int i = piece.begin; i < piece.end; ++i) {
      errors.add<d>(r.data() + static_cast<Index>(d) * i, u.data() + static_cast<Index>(d) * i, blocks.mu(i),
                    blocks.scale(i));
    }
  };
  if (blocks.dimension() == 3) {
    add.template operator()<3>();
  } else {
    add.template operator()<2>();
  }
  for (int i = piece.first_row; i < piece.last_row; ++i) {
    errors.scaled += residual[i] * residual[i];
    errors.published += residual[i] * residual[i];
  }
  return errors;
}

/// The error of a piece relative to its target: solved where at most 1.
inline double relative_error(const PieceErrors& errors, const CoulombTarget& target) {
  const auto ratio = [](double squared, double bound) {
    return squared == 0.0 ? 0.0 : std::sqrt(squared) / bound;
  };
  const double largest =
      std::max(target.squared_impulses + errors.impulses, target.squared_velocities + errors.velocities);
  return std::max(ratio(errors.scaled, target.scaled),
                  ratio(errors.published, std::max(target.published, target.relative * std::sqrt(largest))));
}
inline double relative_error(const CoulombMethod::Run& run, const Vector& r, const Vector& u,
                             const Vector& residual) {
  return relative_error(piece_errors(run.blocks, run.piece, r, u, residual), run.target);
}

}  // namespace slipstick
