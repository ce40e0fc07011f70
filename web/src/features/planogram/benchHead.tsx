import type { Planogram } from '@aisle/contract/planogram/slot'
import { addSlots, getPlanogram } from '@aisle/contract/planogram/slot'
import { listTemplates, makeTemplate } from '@aisle/contract/planogram/template'
import { MOST_LAYERS } from '@aisle/contract/fleet/layout'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { CommandButton } from '../../admin/commandButton'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import styles from './slots.module.css'

/** What machine it is, what it may sell, and what is done with the cabinet as a whole. */
export function BenchHead(props: {
  plan: Planogram
  isMore: boolean
  onMore: (isMore: boolean) => void
  onCount: () => void
}) {
  const { plan, isMore, onMore, onCount } = props
  const t = useText('planogram')
  const fleet = useText('fleet')
  const { id, code, pointName, licenceMode, isRetired, template, slots } = plan
  const layer = freeLayer(slots.map((slot) => slot.layer))
  return (
    <div className={styles.benchHead}>
      <p data-part="bench-facts" className={styles.benchFacts}>
        <Link to={screenOf('shj/wdshj').path} search={{ open: String(id) }}>
          {code}
        </Link>
        <span className="quiet">{pointName}</span>
        <Tag tone={licenceMode === 'none' ? 'idle' : 'busy'} word={fleet.any(`licence.${licenceMode}`)} />
        {template && (
          <Link to={screenOf('shj/shjMbset').path} search={{ id: String(template.id) }}>
            {t(template.isNewest ? 'bench.template' : 'bench.templateBehind', { name: template.name })}
          </Link>
        )}
        {isRetired && <Tag tone="warn" word={t('bench.retired')} />}
      </p>
      <div className={styles.benchVerbs}>
        <button type="button" className="btn" aria-pressed={isMore} onClick={() => onMore(!isMore)}>
          {t('bench.more')}
        </button>
        <button type="button" className="btn" onClick={onCount}>
          {t('bench.count')}
        </button>
        <CommandButton
          endpoint={addSlots}
          verb="addLayer"
          t={t}
          target={{ id, layer }}
          names={['count', 'capacity']}
          initial={{ count: 8, capacity: 8 }}
          vars={{ code, layer }}
          isEnabled={!isRetired && layer <= MOST_LAYERS}
          changes={[getPlanogram]}
        />
        <CommandButton
          endpoint={makeTemplate}
          verb="makeTemplate"
          t={t}
          target={{ id }}
          vars={{ code }}
          changes={[listTemplates]}
        />
      </div>
    </div>
  )
}

/** The first layer that the cabinet does not have; above the most where it has all. */
function freeLayer(layers: readonly number[]): number {
  const taken = new Set(layers)
  const all = Array.from({ length: MOST_LAYERS }, (_, i) => i + 1)
  return all.find((layer) => !taken.has(layer)) ?? MOST_LAYERS + 1
}
