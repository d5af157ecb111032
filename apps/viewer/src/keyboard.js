// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// Keys. They work everywhere except where a control needs them itself.

function takesText(element) {
  return element.matches?.('input:not([type=range]):not([type=checkbox]), textarea, select');
}

/** What keys do: {key: action}. Keys with shift are written with their own sign, such as "B". */
export function listenToKeys(actions, enabled) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    const {target} = event;
    if (takesText(target)) return;
    const arrows = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End';
    if (arrows && (target.matches('input[type=range]') || target.closest('[role=tablist]'))) return;
    if (arrows && target.closest('[role=tabpanel]') && event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    if (event.key === ' ' && target.matches('button, summary, input, a')) return;
    const name = event.shiftKey && arrows ? `Shift+${event.key}` : event.key;
    const action = actions[name];
    if (!action || (name.length === 1 && name !== ' ' && !enabled())) return;
    event.preventDefault();
    action();
  });
}
