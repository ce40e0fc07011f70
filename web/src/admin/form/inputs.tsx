import type { Field, FieldKind } from '@aisle/contract/kernel/field'
import { type ComponentType, useState } from 'react'
import { z } from 'zod'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { fenOf, numberOf, yuanText } from '../../ui/amount'
import { controlProps, type InputProps } from './input'
import { ImageInput } from './imageInput'
import { choicesIn, insideOf, longest } from './schema'
import { DayField, MomentField, PeriodField } from './timeInputs'
import styles from './form.module.css'

const textIn = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function TextInput(props: InputProps & { type?: string; className?: string }) {
  const { value, onChange, schema, type = 'text', className } = props
  return (
    <input
      {...controlProps(props)}
      type={type}
      className={className}
      value={textIn(value)}
      maxLength={longest(schema)}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const CodeInput = (props: InputProps) => <TextInput {...props} className="input-code" />
const PhoneInput = (props: InputProps) => <TextInput {...props} type="tel" />

function LongInput(props: InputProps) {
  const { value, onChange, schema } = props
  const kit = useText('admin')
  const most = longest(schema)
  const text = textIn(value)
  return (
    <>
      <textarea
        {...controlProps(props)}
        rows={3}
        value={text}
        maxLength={most}
        onChange={(event) => onChange(event.target.value)}
      />
      {most !== undefined && (
        <small className="input-count">{kit('form.characters', { count: text.length, most })}</small>
      )}
    </>
  )
}

/** Keeps what is being typed (`12.`) and tells the value that it makes; what makes none is told as it is. */
function TypedNumber(props: InputProps & { read: (text: string) => number | null; write: (value: number) => string }) {
  const { value, onChange, read, write } = props
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typeof value === 'number' ? write(value) : textIn(value)
  const isOwn = typed !== null && (read(typed) ?? typed) === (value ?? '')
  return (
    <input
      {...controlProps(props)}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      value={isOwn ? typed : shown}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(read(target.value) ?? target.value)
      }}
      onBlur={() => {
        setTyped(null)
        props.onBlur()
      }}
    />
  )
}

const MoneyInput = (props: InputProps) => (
  <span className={styles.inputUnit}>
    <span aria-hidden="true">¥</span>
    <TypedNumber {...props} read={fenOf} write={yuanText} />
  </span>
)
const CountInput = (props: InputProps) => <TypedNumber {...props} read={numberOf} write={String} />
const PercentInput = (props: InputProps) => (
  <span className={styles.inputUnit}>
    <TypedNumber {...props} read={numberOf} write={String} />
    <span aria-hidden="true">%</span>
  </span>
)

function SwitchInput(props: InputProps) {
  const { value, onChange } = props
  const kit = useText('admin')
  return (
    <span className={styles.switch}>
      <input
        {...controlProps(props)}
        required={false}
        type="checkbox"
        role="switch"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span aria-hidden="true">{value === true ? kit('form.on') : kit('form.off')}</span>
    </span>
  )
}

function useWordOf({ name, field, t }: InputProps): (value: string) => string {
  const words = field && 'words' in field ? field.words : name
  return (value) => t.any(`${words}.${value}`)
}

const choicesOf = ({ schema, field }: InputProps): string[] =>
  choicesIn(schema) ?? (field && 'tones' in field ? Object.keys(field.tones ?? {}) : [])

/** What the chosen one does is said below it, where the catalog has words for it: `<words>.<value>.does`. */
function StateInput(props: InputProps) {
  const { value, onChange, isRequired, field, barred, t } = props
  const kit = useText('admin')
  const wordOf = useWordOf(props)
  const does = field && 'words' in field && value ? `${field.words}.${textIn(value)}.does` : ''
  const choice = (
    <select {...controlProps(props)} value={textIn(value)} onChange={(event) => onChange(event.target.value)}>
      {(!isRequired || !value) && <option value="">{isRequired ? kit('form.choose') : kit('form.none')}</option>}
      {choicesOf(props).map((each) => (
        <option key={each} value={each} disabled={barred?.[each] !== undefined}>
          {[wordOf(each), barred?.[each]].filter(Boolean).join(' · ')}
        </option>
      ))}
    </select>
  )
  if (!does || !t.has(does)) return choice
  return (
    <>
      {choice}
      <span className="field-rule">{t.any(does)}</span>
    </>
  )
}

function StatesInput(props: InputProps) {
  const { id, value, onChange, isLocked, onBlur, describedBy } = props
  const wordOf = useWordOf(props)
  const chosen = Array.isArray(value) ? value.map(String) : []
  return (
    <div id={id} className={styles.inputChoices} onBlur={onBlur}>
      {choicesOf(props).map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            disabled={isLocked}
            aria-describedby={describedBy}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, each] : chosen.filter((other) => other !== each))
            }
          />
          {wordOf(each)}
        </label>
      ))}
    </div>
  )
}

function SecretInput(props: InputProps) {
  const { value, onChange, schema, label } = props
  const kit = useText('admin')
  const [isShown, setShown] = useState(false)
  const name = isShown ? kit('form.hide', { name: label }) : kit('form.show', { name: label })
  return (
    <span className={styles.inputUnit}>
      <input
        {...controlProps(props)}
        type={isShown ? 'text' : 'password'}
        value={textIn(value)}
        maxLength={longest(schema)}
        autoComplete="new-password"
        onChange={(event) => onChange(event.target.value)}
      />
      <button type="button" className="icon-btn" aria-label={name} onClick={() => setShown(!isShown)}>
        <Icon name={isShown ? 'eyeOff' : 'eye'} />
      </button>
    </span>
  )
}

const byKind: Partial<Record<FieldKind, ComponentType<InputProps>>> = {
  text: TextInput,
  region: TextInput,
  ref: TextInput,
  code: CodeInput,
  longText: LongInput,
  phone: PhoneInput,
  money: MoneyInput,
  count: CountInput,
  percent: PercentInput,
  boolean: SwitchInput,
  state: StateInput,
  states: StatesInput,
  secret: SecretInput,
  day: DayField,
  dateTime: MomentField,
  period: PeriodField,
  image: ImageInput,
}

const groupInputs = new WeakSet<ComponentType<InputProps>>([StatesInput, PeriodField])

/** Marks an input whose parts have names of their own, so that a group stands around them instead of one label. */
export function groupInput(input: ComponentType<InputProps>): ComponentType<InputProps> {
  groupInputs.add(input)
  return input
}
export const isGroupInput = (input: ComponentType<InputProps>): boolean => groupInputs.has(input)

/** By the field's kind; where nothing is declared, by what the schema takes. */
export function inputFor(field: Field | undefined, schema: z.core.$ZodType | undefined): ComponentType<InputProps> {
  const inner = insideOf(schema)
  const isText = inner instanceof z.ZodString
  const declared = field && byKind[field.kind]
  // A kind may say more than one thing of a column: an enum is chosen and a day is picked however it is shown.
  if (declared && !(declared === TextInput && !isText)) return declared
  if (inner instanceof z.ZodArray) return StatesInput
  if (inner instanceof z.ZodEnum) return StateInput
  if (inner instanceof z.ZodBoolean) return SwitchInput
  if (inner instanceof z.ZodNumber) return CountInput
  if (inner instanceof z.ZodISODate) return DayField
  if (inner instanceof z.ZodISODateTime) return MomentField
  return isText && (longest(schema) ?? 0) > LONG ? LongInput : TextInput
}

/** A reason or a remark wants more than a line. */
const LONG = 80
