import { previewStockRule } from '@aisle/contract/alarm/stockRule'
import { listPoints } from '@aisle/contract/fleet/point'
import { useDeferredValue } from 'react'
import { countText } from '../../admin/fields/number'
import type { InputProps } from '../../admin/form/input'
import { inputFor } from '../../admin/form/inputs'
import { refInput } from '../../admin/form/refInput'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './alarm.module.css'
import { classes } from '../../ui/classes'

export const PointInput = refInput({
  list: listPoints,
  optionOf: ({ id, name, city }) => ({ value: id, word: name, note: city }),
})

const CountInput = inputFor({ kind: 'count' }, undefined)

/**
 * The last field of the rule, and below it what the rule would do now.
 * @param id of the rule that is edited; none for a new one, which says where it is for
 */
export function previewedInput(id?: number) {
  return function PreviewedInput(props: InputProps) {
    return (
      <>
        <CountInput {...props} />
        <Preview id={id} values={props.values} />
      </>
    )
  }
}

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

function placeOf({ scope, merchantId, pointId, machineCode }: InputProps['values']) {
  if (scope === 'machine' && typeof machineCode === 'string' && machineCode !== '') {
    return { scope: 'machine' as const, machineCode }
  }
  if (scope === 'point' && typeof pointId === 'number') return { scope: 'point' as const, pointId }
  if (scope === 'merchant' && typeof merchantId === 'number') return { scope: 'merchant' as const, merchantId }
  return null
}

function Preview({ id, values }: { id: number | undefined; values: InputProps['values'] }) {
  const t = useText('alarm')
  const empty = whole(useDeferredValue(values.empty))
  const ofSlots = whole(useDeferredValue(values.ofSlots))
  const place = id !== undefined ? { id } : placeOf(values)
  const isWhole = place !== null && empty !== undefined && (ofSlots === undefined || ofSlots > 0)
  const { data } = useEndpoint(
    previewStockRule,
    { ...place, empty: empty ?? 0, ...(ofSlots ? { ofSlots } : {}) },
    { errors: 'silent', enabled: isWhole },
  )
  if (!isWhole || !data) return <p className={classes(styles.stockPreview, 'quiet')}>{t('stock.preview.empty')}</p>
  const { machines, special, short, shortSlots, shortNow, shortSlotsNow, items } = data
  return (
    <div className={styles.stockPreview} role="status">
      <strong>
        {t('stock.preview', {
          short: countText(short),
          slots: countText(shortSlots),
          machines: countText(machines - special),
        })}
      </strong>
      <small> {t('stock.preview.now', { short: countText(shortNow), slots: countText(shortSlotsNow) })}</small>
      {special > 0 && <small> {t('stock.preview.special', { count: countText(special) })}</small>}
      {items.length > 0 && (
        <ul>
          {items.map(({ id: machineId, code, name, empty: none, slots }) => (
            <li key={machineId}>{`${code} ${name} · ${none}/${slots}`}</li>
          ))}
        </ul>
      )}
      {short > items.length && <small>{t('stock.preview.more', { count: countText(short - items.length) })}</small>}
    </div>
  )
}
