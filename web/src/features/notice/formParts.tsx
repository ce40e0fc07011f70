import { type ReactNode, useId } from 'react'
import styles from './formParts.module.css'
import { classes } from '../../ui/classes'

type Labelled = { label: string; rule?: string | undefined; fault?: string | undefined }

/** A control with its name above and its rule, or what is wrong, below. */
export function Labelled(props: Labelled & { children: (id: string, describedBy: string) => ReactNode }) {
  const { label, rule, fault, children } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, `${id}-rule`)}
      <Rule id={`${id}-rule`} rule={rule} fault={fault} />
    </div>
  )
}

function Rule({ id, rule, fault }: { id: string; rule: string | undefined; fault: string | undefined }) {
  return (
    <span id={id} className={fault ? 'fault' : 'field-rule'} role={fault ? 'alert' : undefined}>
      {fault ?? rule}
    </span>
  )
}

type TextProps = Labelled & {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'password' | 'number'
  isDisabled?: boolean
  placeholder?: string
}

export function TextField({ value, onChange, type = 'text', isDisabled, placeholder, ...labelled }: TextProps) {
  return (
    <Labelled {...labelled}>
      {(id, describedBy) => (
        <input
          id={id}
          type={type}
          value={value}
          disabled={isDisabled}
          placeholder={placeholder}
          autoComplete="off"
          aria-invalid={labelled.fault !== undefined}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  )
}

export function AreaField({ value, onChange, rows = 4, ...labelled }: TextProps & { rows?: number }) {
  return (
    <Labelled {...labelled}>
      {(id, describedBy) => (
        <textarea
          id={id}
          rows={rows}
          value={value}
          aria-invalid={labelled.fault !== undefined}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  )
}

export type Option<V extends string | number> = { value: V; word: string; note?: string }

export function SelectField<V extends string | number>(
  props: Labelled & { value: V; options: readonly Option<V>[]; onChange: (value: V) => void },
) {
  const { value, options, onChange, ...labelled } = props
  return (
    <Labelled {...labelled}>
      {(id, describedBy) => (
        <select
          id={id}
          value={String(value)}
          aria-describedby={describedBy}
          onChange={(event) => {
            const picked = options.find((option) => String(option.value) === event.target.value)
            if (picked) onChange(picked.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={String(option.value)}>
              {option.word}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

type ManyProps<V extends string | number> = Labelled & {
  options: readonly Option<V>[]
  chosen: readonly V[]
  onChange: (chosen: V[]) => void
  /** Many of them scroll in a box of their own. */
  isLong?: boolean
}

/** Any of several; those that are chosen keep the order of the options. */
export function CheckField<V extends string | number>({ options, chosen, onChange, isLong, ...rest }: ManyProps<V>) {
  const id = useId()
  const toggle = (value: V) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((each) => (each === value ? !chosen.includes(each) : chosen.includes(each))),
    )
  return (
    <fieldset className={classes('field', styles.choices)} aria-describedby={`${id}-rule`}>
      <legend>{rest.label}</legend>
      <div className={isLong ? styles.choicesLong : styles.choicesRow} tabIndex={isLong ? 0 : undefined}>
        {options.map(({ value, word, note }) => (
          <label key={value}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span>
              {word}
              {note && <small> {note}</small>}
            </span>
          </label>
        ))}
      </div>
      <Rule id={`${id}-rule`} rule={rest.rule} fault={rest.fault} />
    </fieldset>
  )
}

export function RadioField<V extends string>(
  props: Labelled & { options: readonly Option<V>[]; value: V; onChange: (value: V) => void },
) {
  const { options, value, onChange, ...rest } = props
  const id = useId()
  return (
    <fieldset className={classes('field', styles.choices)} aria-describedby={`${id}-rule`}>
      <legend>{rest.label}</legend>
      <div className={styles.choicesRow}>
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={id} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span>
              {option.word}
              {option.note && <small> {option.note}</small>}
            </span>
          </label>
        ))}
      </div>
      <Rule id={`${id}-rule`} rule={rest.rule} fault={rest.fault} />
    </fieldset>
  )
}

export function SwitchField(props: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { label, isOn, onChange } = props
  return (
    <label className={styles.choiceOne}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}
