import { MAX_PAGE_SIZE, PAGE_SIZE } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { z } from 'zod'
import { useSession } from '../live/session'

const layout = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  isCompact: z.boolean(),
  /** Rows on a page. */
  pageSize: z.int().min(1).max(MAX_PAGE_SIZE).default(PAGE_SIZE),
  views: z.array(z.object({ name: z.string(), query: z.record(z.string(), z.string()) })),
})
export type ListPrefs = z.output<typeof layout>

/** How a person likes this list: columns, row height and saved views, kept on this device for the account. */
export function useListPrefs(
  screen: string,
  hidden: readonly string[] = [],
): [ListPrefs, (change: Partial<ListPrefs>) => void] {
  const key = `aisle.list.${useSession()?.userid ?? ''}.${screen}`
  const [prefs, setPrefs] = useState(
    () => stored(key) ?? { order: [], hidden: [...hidden], isCompact: false, pageSize: PAGE_SIZE, views: [] },
  )
  const change = (part: Partial<ListPrefs>) => {
    const next = { ...prefs, ...part }
    localStorage.setItem(key, JSON.stringify(next))
    setPrefs(next)
  }
  return [prefs, change]
}

/** What an older release or another hand wrote there and no longer fits is not used. */
function stored(key: string): ListPrefs | null {
  try {
    return layout.parse(JSON.parse(localStorage.getItem(key) ?? 'null'))
  } catch {
    return null
  }
}
