import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { previewTemplateMachine } from '@aisle/contract/planogram/apply'
import { Failure } from '../../admin/failure'
import { useEndpoint } from '../../live/query'
import { useLanguage, useText } from '../../ui/text'
import styles from './apply.module.css'
import { classes } from '../../ui/classes'

type Line = OutputOf<typeof previewTemplateMachine>['slots'][number]

/** Slot by slot, before and after. */
export function PreviewSlots({ id, machineId }: { id: number; machineId: number }) {
  const t = useText('planogram')
  const found = useEndpoint(previewTemplateMachine, { id, machineId }, { errors: 'throw', staleTime: 0 })
  if (found.error) return <Failure failure={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <div className={classes('bone', styles.bone)} />
  if (found.data.slots.length === 0)
    return <p className={classes('quiet', styles.previewSlots)}>{t('apply.noSlots')}</p>
  return (
    <ul className={styles.previewSlots}>
      {found.data.slots.map((line) => (
        <SlotLine key={`${line.kind} ${line.code}`} line={line} />
      ))}
    </ul>
  )
}

function SlotLine({ line: { code, kind, before, after, stock, unlawful } }: { line: Line }) {
  const t = useText('planogram')
  const language = useLanguage()
  const say = (side: NonNullable<Line['before']>) =>
    [
      side.productName ?? t('slot.none'),
      side.priceFen === null ? '' : moneyText(side.priceFen, language),
      t('save.capacity', { count: side.capacity }),
      t('save.threshold', { count: side.alarmThreshold }),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <li>
      <b>{code}</b> <span className="quiet">{t(`kind.${kind}`)}</span> {before && <del>{say(before)}</del>}{' '}
      {after && <ins>{say(after)}</ins>}
      {stock > 0 && <span className="tone-warn"> {t('slot.holds', { code, count: stock })}</span>}
      {unlawful && <span className="fault"> {t(`law.${unlawful}`)}</span>}
    </li>
  )
}
