let isDown = false
/** The mouse's, which a touch sends too when it is a tap: only then is a field left. A drag ends without one. */
window.addEventListener('mousedown', () => (isDown = true), { capture: true })
for (const end of ['mouseup', 'dragend']) window.addEventListener(end, () => (isDown = false), { capture: true })

/**
 * Acts once no button is pressed. What a field says when it is left moves what stands below it: said at once, the very
 * click that left the field would miss what it was meant for.
 */
export function afterPress(act: () => void): void {
  if (!isDown) return act()
  // The click comes with the release, in the same task.
  window.addEventListener('mouseup', () => setTimeout(act), { once: true, capture: true })
}
