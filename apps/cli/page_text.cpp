// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/page_text.hpp"

#include "apps/cli/viewer_page.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/io/markup.hpp"

namespace slipstick::internal::cli {

PageText::PageText(std::string_view title) {
  constexpr std::string_view title_mark = "<title>Slipstick run</title>";
  constexpr std::string_view block_mark = "<!-- blocks -->";
  const std::string_view page = viewer_page();
  if (page.empty()) fail("this program was built without the viewer: {}", viewer_lacks());
  const std::size_t title_place = page.find(title_mark), block_place = page.find(block_mark);
  if (title_place > block_place || block_place == page.npos)
    fail("the viewer of this program has no place for a title and for the data of a run");
  before_ = page.substr(0, title_place);
  before_ += "<title>" + escape_markup(title) + " - Slipstick</title>";
  before_ += page.substr(title_place + title_mark.size(), block_place - title_place - title_mark.size());
  after_ = page.substr(block_place + block_mark.size());
}

}  // namespace slipstick::internal::cli
