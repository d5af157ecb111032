// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

/** What is wrong with the page's data, as a sentence for people. */
export class PageError extends Error {}

export function refuse(where, what) {
  throw new PageError(`${where}: ${what}`);
}
