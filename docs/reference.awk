# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# What Doxygen needs to read the comments of the headers as people do (see Doxyfile). A formula or program may follow its
# sentence directly: it is indented. A comment that an empty line follows is about the whole file.
function flush_comment(about_file,    i, indented, text_before) {
  if (lines > 0 && about_file) print "/// \\file"
  for (i = 1; i <= lines; ++i) {
    indented = comment[i] ~ /^ *\/\/\/     /
    if (indented && text_before) print "///"
    print comment[i]
    text_before = !indented && comment[i] !~ /^ *\/\/\/ *$/
  }
  lines = 0
}
/^ *\/\/\/([^<]|$)/ { comment[++lines] = $0; next }
{ flush_comment($0 == ""); print }
END { flush_comment(0) }
