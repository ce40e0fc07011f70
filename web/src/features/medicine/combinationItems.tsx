import { checkCombination, type Finding, MOST_ITEMS } from '@aisle/contract/medicine/combination'
import { listMedicines } from '@aisle/contract/medicine/medicine'
import { useDeferredValue } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { refInput } from '../../admin/form/refInput'
import { useEndpoint } from '../../live/query'
import { Icon } from '../../ui/icons'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './combination.module.css'

type Item = { productId: number; quantity: unknown }
type Piece = { productId: number; name: string }

const MedicineInput = refInput({
  list: listMedicines,
  query: { state: 'online' },
  optionOf: ({ id, name, code, specification }) => ({ value: id, word: `${name} ${specification}`, note: code }),
})

const itemsIn = (value: unknown): Item[] => (Array.isArray(value) ? (value as Item[]) : [])
const namesIn = ({ pieces }: InputProps['values']): Map<number, string> =>
  new Map(Array.isArray(pieces) ? (pieces as Piece[]).map(({ productId, name }) => [productId, name]) : [])

/** Medicines with their packs, and what is found of them while they are chosen. */
export const CombinationItems = groupInput(function CombinationItems(props: InputProps) {
  const { id, value, values, onChange } = props
  const t = useText('medicine')
  const items = itemsIn(value)
  const names = namesIn(values)
  const found = useEndpoint(listMedicines, { pageSize: 200 }, { errors: 'silent', staleTime: 30_000 })
  const known = new Map((found.data?.items ?? []).map((each) => [each.id, each.name]))
  const nameOf = (productId: number) => names.get(productId) ?? known.get(productId) ?? String(productId)
  return (
    <div id={id} className={styles.items}>
      {items.map(({ productId, quantity }, at) => (
        <div key={productId} className={styles.item}>
          <span>{nameOf(productId)}</span>
          <input
            type="text"
            inputMode="numeric"
            aria-label={t('combination.packs', { name: nameOf(productId) })}
            value={String(quantity ?? '')}
            onChange={({ target }) =>
              onChange(items.map((item, i) => (i === at ? { ...item, quantity: packsOf(target.value) } : item)))
            }
          />
          <button
            type="button"
            className="icon-btn"
            aria-label={t('combination.remove', { name: nameOf(productId) })}
            onClick={() => onChange(items.filter((_, i) => i !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {items.length < MOST_ITEMS && (
        <>
          <label htmlFor={`${id}-pick`} className="hidden-text">
            {t('combination.pick')}
          </label>
          <MedicineInput
            {...props}
            key={items.length}
            id={`${id}-pick`}
            label={t('combination.pick')}
            value={null}
            onChange={(picked) => {
              const isNew = typeof picked === 'number' && items.every(({ productId }) => productId !== picked)
              if (isNew) onChange([...items, { productId: picked, quantity: 1 }])
            }}
          />
        </>
      )}
      <Checked values={values} items={items} />
    </div>
  )
})

const packsOf = (typed: string): number | string => (/^\d+$/.test(typed.trim()) ? Number(typed) : typed)

function Checked({ values, items }: { values: InputProps['values']; items: readonly Item[] }) {
  const t = useText('medicine')
  const whole = items.filter((item): item is Item & { quantity: number } => {
    return typeof item.quantity === 'number' && item.quantity >= 1 && item.quantity <= 5
  })
  const merchantId = typeof values.merchantId === 'number' ? { merchantId: values.merchantId } : {}
  const asked = useDeferredValue(JSON.stringify({ ...merchantId, items: whole }))
  const isAsked = whole.length > 0 && whole.length === items.length
  const found = useEndpoint(checkCombination, JSON.parse(asked), { errors: 'silent', enabled: isAsked })
  if (!isAsked || !found.data) return null
  const { listFen, findings } = found.data
  return (
    <div role="status">
      <span className="field-rule">
        {t('field.listFen')} <Money fen={listFen} />
      </span>
      <Findings findings={findings} />
    </div>
  )
}

/** What is found of medicines that are had together, worst first. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const t = useText('medicine')
  if (findings.length === 0) return <p className="quiet">{t('combination.clear')}</p>
  return (
    <ul className={styles.findings}>
      {findings.map(({ kind, facts }) => (
        <li key={kind + JSON.stringify(facts)} className={isWarning(kind) ? 'field-changed' : 'field-rule'}>
          {t.any(`finding.${kind}`, facts)}
        </li>
      ))}
    </ul>
  )
}

const isWarning = (kind: Finding['kind']) => kind === 'pair' || kind === 'ingredientTwice' || kind === 'overLimit'
