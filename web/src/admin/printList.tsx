import { useNow } from '../live/clock'
import { filtersInWords } from '../ui/control/filters'
import { PaperTable, Printed, usePaper } from '../ui/printed'
import { currentLocale, type Text, useText } from '../ui/text'
import { absoluteTime } from '../ui/timeText'
import { classes } from '../ui/classes'
import { placed } from './address'
import { visible } from './columns'
import type { ListPage } from './declaration'
import { countText } from './fields/number'
import { columnOf } from './listBody'
import type { ListPrefs } from './stored'
import { type ListEndpoint, readRows } from './useList'
import styles from './list.module.css'
import panelStyles from '../ui/panel.module.css'

/** Some thirty sheets; who needs more exports. */
const MOST_PRINTED = 1_000

/** All that the filter leaves on paper, not the page that is shown. */
export function PrintList<L extends ListEndpoint>(props: {
  page: ListPage<L>
  query: Record<string, string>
  prefs: ListPrefs
  title: string
  t: Text
}) {
  const { page, query, prefs, title, t } = props
  const kit = useText('admin')
  const nowMs = useNow(60_000)
  const { paper, isReading, print } = usePaper(async () => ({
    said: filtersInWords(),
    rows: await readRows(page.list, placed(query, {}), MOST_PRINTED + 1),
  }))
  const tool = classes(panelStyles.tool, styles.onlyWide)
  return (
    <>
      <button type="button" className={tool} disabled={isReading} onClick={print}>
        {kit('list.print')}
      </button>
      {paper && (
        <Printed part="list-paper" isWide>
          <h1>{title}</h1>
          <p>
            {kit(paper.rows.length > MOST_PRINTED ? 'list.printedFirst' : 'list.printed', {
              count: countText(Math.min(paper.rows.length, MOST_PRINTED)),
              time: absoluteTime(new Date(nowMs).toISOString(), currentLocale()),
            })}
          </p>
          {paper.said.length > 0 && <p>{paper.said.join(' · ')}</p>}
          <PaperTable
            columns={visible(page.columns, prefs).map((name) => columnOf(name, page.fields, t, undefined))}
            rows={paper.rows.slice(0, MOST_PRINTED)}
            keyOf={({ id }) => String(id)}
          />
        </Printed>
      )}
    </>
  )
}
