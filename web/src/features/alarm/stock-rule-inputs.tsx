import { previewStockRule } from '@aisle/contract/alarm/stockRule'
import { listPoints } from '@aisle/contract/fleet/point'
import { useDeferredValue } from 'react'
import { countText } from '../../admin/fields/number'
import type { InputProps } from '../../admin/form/input'
import { inputFor } from '../../admin/form/inputs'
import { refInput } from '../../admin/form/RefInput'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

export const PointInput = refInput({
  list: listPoints,
  optionOf: ({ id, name, city }) => ({ value: id, word: name, note: city }),
})

const CountInput = inputFor({ kind: 'count' }, undefined)

/** The last field of the rule, and below it what the rule would do now. */
export function PreviewedInput(props: InputProps) {
  return (
    <>
      <CountInput {...props} />
      <Preview values={props.values} />
    </>
  )
}

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

function Preview({ values }: { values: InputProps['values'] }) {
  const t = useText('alarm')
  const { scope, merchantId, pointId, machineCode } = values
  const empty = whole(useDeferredValue(values.empty))
  const ofSlots = whole(useDeferredValue(values.ofSlots))
  const place =
    scope === 'machine' && typeof machineCode === 'string' && machineCode !== ''
      ? { scope: 'machine' as const, machineCode }
      : scope === 'point' && typeof pointId === 'number'
        ? { scope: 'point' as const, pointId }
        : scope === 'merchant' && typeof merchantId === 'number'
          ? { scope: 'merchant' as const, merchantId }
          : null
  const isWhole = place !== null && empty !== undefined && (ofSlots === undefined || ofSlots > 0)
  const { data } = useEndpoint(
    previewStockRule,
    { ...place, empty: empty ?? 0, ...(ofSlots ? { ofSlots } : {}) },
    { errors: 'silent', enabled: isWhole },
  )
  if (!isWhole || !data) return <p className="quiet">{t('stock.preview.empty')}</p>
  const { machines, special, short, items } = data
  return (
    <div className="stock-preview" role="status">
      <strong>{t('stock.preview', { short: countText(short), machines: countText(machines - special) })}</strong>
      {special > 0 && <small> {t('stock.preview.special', { count: countText(special) })}</small>}
      {items.length > 0 && (
        <ul>
          {items.map(({ id, code, name, empty: none, slots }) => (
            <li key={id}>{`${code} ${name} · ${none}/${slots}`}</li>
          ))}
        </ul>
      )}
      {short > items.length && <small>{t('stock.preview.more', { count: countText(short - items.length) })}</small>}
    </div>
  )
}
