import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Printed } from '../ui/printed'
import { currentLocale, type Text, useText } from '../ui/text'
import { absoluteTime } from '../ui/timeText'
import { classes } from '../ui/classes'
import { placed } from './address'
import { visible } from './columns'
import type { ListPage } from './declaration'
import { countText } from './fields/number'
import { columnOf } from './listBody'
import type { ListPrefs } from './stored'
import { type ListEndpoint, readRows, type RowOf } from './useList'
import styles from './list.module.css'
import panelStyles from '../ui/panel.module.css'

/** Some thirty sheets; who needs more exports. */
const MOST_PRINTED = 1_000

/** All that the filter leaves on paper, not the page that is shown. */
export function PrintButton<L extends ListEndpoint>(props: {
  page: ListPage<L>
  query: Record<string, string>
  prefs: ListPrefs
  title: string
  t: Text
}) {
  const { page, query, prefs, title, t } = props
  const kit = useText('admin')
  const [rows, setRows] = useState<readonly RowOf<L>[] | 'reading' | null>(null)
  const print = async () => {
    setRows('reading')
    const found = await readRows(page.list, placed(query, {}), MOST_PRINTED + 1).catch(() => null)
    // Else the browser would print what was there before.
    flushSync(() => setRows(found))
    if (found) window.print()
    setRows(null)
  }
  const tool = classes(panelStyles.tool, styles.onlyWide)
  return (
    <>
      <button type="button" className={tool} disabled={rows !== null} onClick={() => void print()}>
        {kit('list.print')}
      </button>
      {Array.isArray(rows) && (
        <Printed part="list-paper" isWide>
          <h1>{title}</h1>
          <p>
            {kit(rows.length > MOST_PRINTED ? 'list.printedFirst' : 'list.printed', {
              count: countText(Math.min(rows.length, MOST_PRINTED)),
              time: absoluteTime(new Date().toISOString(), currentLocale()),
            })}
          </p>
          <Rows page={page} prefs={prefs} rows={rows.slice(0, MOST_PRINTED)} t={t} />
        </Printed>
      )}
    </>
  )
}

function Rows<L extends ListEndpoint>(props: {
  page: ListPage<L>
  prefs: ListPrefs
  rows: readonly RowOf<L>[]
  t: Text
}) {
  const { page, prefs, rows, t } = props
  const columns = visible(page.columns, prefs).map((name) => columnOf(name, page.fields, t, undefined))
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ key, head }) => (
            <th key={key}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={String(row.id)}>
            {columns.map(({ key, cell }) => (
              <td key={key}>{cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
