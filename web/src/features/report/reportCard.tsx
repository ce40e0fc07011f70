import { type ReactNode, useRef } from 'react'
import { saveChartPicture } from '../../ui/chart/chartPicture'
import { Icon } from '../../ui/icons'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { usePeriod, useScopeWords } from './scopeWords'
import styles from './report.module.css'

type Query = Readonly<Record<string, string>>

/** A chart of a report under its name, and the way to take it along as a picture. */
export function ReportCard(props: {
  title: string
  query: Query
  /** What else the chart shows, that its picture must say. */
  says?: readonly string[]
  children: ReactNode
}) {
  const { title, query, says = [], children } = props
  const chart = useRef<HTMLDivElement>(null)
  return (
    <section className={styles.card} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <PictureButton title={title} query={query} says={says} chart={() => chart.current} />
      </header>
      <div ref={chart} data-part="report-chart" className={styles.chart}>
        {children}
      </div>
    </section>
  )
}

function PictureButton(props: {
  title: string
  query: Query
  says: readonly string[]
  chart: () => HTMLElement | null
}) {
  const { title, query, says, chart } = props
  const t = useText('report')
  const { data } = usePeriod(query)
  const scope = useScopeWords(query)
  const save = async () => {
    const drawn = chart()
    if (!drawn || !data) return
    const { from, to, beforeFrom, beforeTo } = data
    const period = from === to ? from : `${from} – ${to}`
    const against = t('against', { from: beforeFrom, to: beforeTo })
    try {
      await saveChartPicture(drawn, { title, period, scope: [against, ...says, ...scope] })
    } catch {
      toast('bad', t('picture.failed'))
    }
  }
  const name = t('picture.of', { title })
  return (
    <button type="button" className="icon-btn" aria-label={name} title={t('picture')} onClick={() => void save()}>
      <Icon name="download" size={16} />
    </button>
  )
}
