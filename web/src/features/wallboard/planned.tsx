import { useText } from '../../ui/text'
import type { BoardTab } from './header'

/** What a section will show, said plainly; no figures are made up for it. */
export function Planned({ tab, onSales }: { tab: Exclude<BoardTab, 'sales'>; onSales: () => void }) {
  const t = useText('wallboard')
  return (
    <div className="planned">
      <div className="planned-head">
        <p className="planned-badge">{t('planned.badge')}</p>
        <h2>{t(`tab.${tab}`)}</h2>
        <p>{t('planned.intro')}</p>
        <button type="button" className="wall-btn" onClick={onSales}>
          {t('planned.back')}
        </button>
      </div>
      <ul>
        {([1, 2, 3, 4] as const).map((n) => (
          <li key={n}>{t(`planned.${tab}.${n}`)}</li>
        ))}
      </ul>
    </div>
  )
}
