import { boardTabs, CLOCK_REFRESH_MS } from '@aisle/contract/wallboard/board'
import { useNow } from '../../live/clock'
import { useLanguage, useText } from '../../ui/text'
import type { Extras } from './board.state'
import { Controls } from './controls'
import { countText, dateText, timeText } from './format'
import { Tabs } from './tabs'
import styles from './board.module.css'

export type BoardTab = (typeof boardTabs)[number]

export function Header(props: {
  tab: BoardTab
  onTab: (tab: BoardTab) => void
  extras: Extras | null
  isUnattended: boolean
  /** Null where the viewer may not, or does so already. */
  onReplay: (() => void) | null
}) {
  const { tab, onTab, extras, isUnattended, onReplay } = props
  const t = useText('wallboard')
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <h1>{t('title')}</h1>
        <Machines extras={extras} />
      </div>
      <Tabs
        id="section"
        className={styles.tabs}
        label={t('tab.label')}
        items={boardTabs.map((key) => ({ key, label: t(`tab.${key}`) }))}
        selected={tab}
        onSelect={onTab}
      />
      <div className={styles.corner}>
        <Controls isUnattended={isUnattended} onReplay={onReplay} />
        <Clock />
      </div>
    </header>
  )
}

function Machines({ extras }: { extras: Extras | null }) {
  const t = useText('wallboard')
  const language = useLanguage()
  if (!extras) return <p>&nbsp;</p>
  const online = countText(extras.machinesOnline, language)
  const total = countText(extras.machinesTotal, language)
  return <p>{t('machines.online', { online, total })}</p>
}

function Clock() {
  const language = useLanguage()
  const atMs = useNow(CLOCK_REFRESH_MS)
  return (
    <div className={styles.clock}>
      <time data-part="wall-time" className={styles.time}>
        {timeText(atMs, language)}
      </time>
      <span>{dateText(atMs, language)}</span>
    </div>
  )
}
