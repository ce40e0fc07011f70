import { useBlocker } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { ask } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { useUnsaved } from '../../ui/feedback/unsaved'

/**
 * Asks before unsaved work is left: by a link, by going back, or by closing the tab (there in the browser's words).
 * @param title of the form, where it is not the page's
 * @param isDone true once it has been saved, which a page may act upon before it is drawn again
 * @returns asks for leaving by other ways, such as closing the dialog
 */
export function useLeaveGuard(isDirty: boolean, isDone: RefObject<boolean>, title?: string): () => Promise<boolean> {
  const kit = useText('admin')
  useUnsaved(isDirty, title)
  const mayLeave = async (): Promise<boolean> => {
    if (!isDirty || isDone.current) return true
    const words = { title: kit('form.leave.title'), body: kit('form.leave.body') }
    return ask({ key: 'leave', ...words, yes: kit('form.leave.yes'), no: kit('form.leave.no'), tone: 'danger' })
  }
  useBlocker({
    shouldBlockFn: async () => !(await mayLeave()),
    enableBeforeUnload: () => isDirty && !isDone.current,
    disabled: !isDirty,
  })
  return mayLeave
}
