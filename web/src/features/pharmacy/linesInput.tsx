import { listMedicineChoices } from '@aisle/contract/pharmacy/medicine'
import { MAX_LINES, warnOfPrescription } from '@aisle/contract/pharmacy/write'
import { useDeferredValue, useState } from 'react'
import { groupInput } from '../../admin/form/inputs'
import type { InputProps } from '../../admin/form/input'
import { useEndpoint } from '../../live/query'
import { Combobox } from '../../ui/control/combobox'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { Warnings } from './warnings'
import styles from './form.module.css'

/** As it is typed: a number that is being written is still a text. */
type Line = {
  productId: number | null
  quantity: unknown
  dose: unknown
  timesADay: unknown
  days: unknown
  usage: string
}
const EMPTY: Line = { productId: null, quantity: 1, dose: 1, timesADay: 3, days: 3, usage: '' }
const numbers = ['quantity', 'dose', 'timesADay', 'days'] as const

const linesIn = (value: unknown): Line[] => (Array.isArray(value) && value.length > 0 ? (value as Line[]) : [EMPTY])

/** Medicines with their doses, and what is warned of while they are written. */
function LinesOf(props: InputProps) {
  const t = useText('pharmacy')
  const { value, onChange, values } = props
  const lines = linesIn(value)
  const put = (at: number, change: Partial<Line>) =>
    onChange(lines.map((line, i) => (i === at ? { ...line, ...change } : line)))
  return (
    <div className={styles.write}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is what stands at its place
        <fieldset key={at}>
          <legend>{t('lines.which', { n: at + 1 })}</legend>
          <MedicineInput
            {...props}
            id={`${props.id}-${at}`}
            line={line}
            word={wordOf(values, line.productId)}
            onPick={(productId) => put(at, { productId })}
          />
          {numbers.map((name) => (
            <label key={name}>
              {t(`field.${name}`)}
              <input
                type="text"
                inputMode="decimal"
                autoComplete="off"
                value={String(line[name] ?? '')}
                onChange={({ target }) => put(at, { [name]: numberOf(target.value) })}
              />
            </label>
          ))}
          <label className={styles.usage}>
            {t('field.usage')}
            <input
              type="text"
              maxLength={120}
              autoComplete="off"
              value={line.usage}
              onChange={({ target }) => put(at, { usage: target.value })}
            />
          </label>
          {lines.length > 1 && (
            <button
              type="button"
              className="icon-btn"
              aria-label={t('lines.remove', { name: wordOf(values, line.productId) || String(at + 1) })}
              onClick={() => onChange(lines.filter((_, i) => i !== at))}
            >
              <Icon name="close" />
            </button>
          )}
        </fieldset>
      ))}
      {lines.length < MAX_LINES && (
        <button type="button" className="btn" onClick={() => onChange([...lines, EMPTY])}>
          {t('lines.add')}
        </button>
      )}
      <Warned values={values} lines={lines} />
    </div>
  )
}
export const LinesInput = groupInput(LinesOf)

const numberOf = (typed: string): number | string => {
  const number = Number(typed)
  return typed.trim() === '' || Number.isNaN(number) || /[.,]$/.test(typed) ? typed : number
}

const wordOf = (values: InputProps['values'], productId: number | null): string => {
  const known = values.names
  return productId !== null && known instanceof Map ? String(known.get(productId) ?? '') : ''
}

function MedicineInput(props: InputProps & { line: Line; word: string; onPick: (productId: number | null) => void }) {
  const t = useText('pharmacy')
  const { id, line, word, onPick } = props
  const [text, setText] = useState('')
  const [picked, setPicked] = useState('')
  const q = useDeferredValue(text.trim())
  const found = useEndpoint(
    listMedicineChoices,
    { pageSize: 30, ...(q ? { q } : {}) },
    { errors: 'silent', staleTime: 30_000 },
  )
  const options = (found.data?.items ?? []).map((each) => ({
    value: each.id,
    word: each.name,
    note: [
      each.specification,
      `${each.unitsPerPack} ${each.doseUnit}`,
      t('lines.inMachines', { count: each.machineCount }),
    ]
      .filter(Boolean)
      .join(' · '),
  }))
  return (
    <label className={styles.medicine} htmlFor={id}>
      {t('field.medicine')}
      <Combobox
        id={id}
        label={t('field.medicine')}
        word={line.productId === null ? '' : picked || word || nameIn(options, line.productId)}
        options={options}
        isBusy={found.isFetching}
        isRequired
        onSearch={setText}
        onPick={(option) => {
          setPicked(option?.word ?? '')
          onPick(option ? Number(option.value) : null)
        }}
      />
    </label>
  )
}

const nameIn = (options: readonly { value: number; word: string }[], id: number): string =>
  options.find(({ value }) => value === id)?.word ?? ''

/** Asked of the server, which asks the same again when it is submitted. */
function Warned({ values, lines }: { values: InputProps['values']; lines: readonly Line[] }) {
  const t = useText('pharmacy')
  const asked = useDeferredValue(
    JSON.stringify({
      birthYear: values.birthYear || null,
      patientFacts: values.patientFacts ?? [],
      allergies: values.allergies ?? '',
      uses: values.uses || 1,
      lines: lines.filter(({ productId }) => productId !== null),
    }),
  )
  const parsed = warnOfPrescription.input.safeParse(JSON.parse(asked))
  const { data } = useEndpoint(warnOfPrescription, parsed.success ? parsed.data : { lines: [] }, {
    errors: 'silent',
    enabled: parsed.success,
    staleTime: 10_000,
  })
  if (!data || !parsed.success || parsed.data.lines.length === 0) return null
  return (
    <section className={styles.warned} aria-label={t('warnings.title')} aria-live="polite">
      <Warnings warnings={data.warnings} />
    </section>
  )
}
