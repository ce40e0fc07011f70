import { type ComponentType, Suspense, useId } from 'react'
import { Fault } from './fault'
import type { InputProps } from './input'
import { inputFor, isGroupInput } from './inputs'
import { isMobile, mobileRule } from './mobile'
import { Reasons } from './reasons'
import { hasOwnRule, insideOf, mayBeEmpty } from './schema'
import { afterPress } from '../../ui/control/press'
import { type Text, useText } from '../../ui/text'
import type { FormSpec, FormState, Note, WriteEndpoint } from './useForm'
import styles from './form.module.css'

type Parts = { spec: FormSpec<WriteEndpoint>; form: FormState; isFirstFocused?: boolean }

/** The fields of a form, under their headings, and what is wrong with the whole. */
export function FormBody({ spec, form, isFirstFocused = false }: Parts) {
  const { groups, t, preview: Preview } = spec
  const kit = useText('admin')
  const rowOf = (name: string) => (
    <FieldRow key={name} name={name} spec={spec} form={form} hasFocus={isFirstFocused && name === form.names[0]} />
  )
  return (
    <>
      {groups ? (
        groups.map(({ key, names }) => {
          const shown = names.filter((name) => form.names.includes(name))
          if (shown.length === 0) return null
          return (
            <fieldset key={key} className={styles.group}>
              <legend>{t.any(`group.${key}`)}</legend>
              <div className={styles.fields}>{shown.map(rowOf)}</div>
            </fieldset>
          )
        })
      ) : (
        <div className={styles.fields}>{form.names.map(rowOf)}</div>
      )}
      {/* Else whoever types while its words are fetched would be typing into a form that is hidden. */}
      <Suspense>{Preview && <Preview values={form.payload} />}</Suspense>
      {form.whole && (
        <p className="fault" role="alert">
          {form.whole}
        </p>
      )}
      {form.isIncomplete && (
        <p className="fault" role="alert">
          {kit('form.incomplete')}
        </p>
      )}
      {form.failure && <Fault failure={form.failure} loose={form.loose} of={spec.endpoint} />}
    </>
  )
}

function FieldRow(props: { name: string; spec: FormSpec<WriteEndpoint>; form: FormState; hasFocus: boolean }) {
  const { name, spec, form, hasFocus } = props
  const { endpoint, fields, inputs, needed, locked, barred, t } = spec
  const kit = useText('admin')
  const kernel = useText('kernel')
  const id = useId()
  const schema = endpoint.input.shape[name]
  const input = inputs?.[name] ?? inputFor(fields?.[name], schema)
  const isGroup = isGroupInput(input)
  const note = form.noteOf(name)
  const help = locked?.[name] ?? helpOf(spec, name, kernel)
  const label = t.any(`field.${name}`)
  const isRequired = !mayBeEmpty(schema) || needed?.includes(name) === true
  const isSwitch = typeof form.values[name] === 'boolean'
  const caption = (
    <>
      {label}
      {!isRequired && !isSwitch && <small> {kit('form.optional')}</small>}
    </>
  )
  return (
    <div className="field" role={isGroup ? 'group' : undefined} aria-labelledby={isGroup ? `${id}-label` : undefined}>
      {isGroup ? (
        <span id={`${id}-label`} className="field-label">
          {caption}
        </span>
      ) : (
        <label htmlFor={id} className="field-label">
          {caption}
        </label>
      )}
      {drawn(input, {
        id,
        name,
        label,
        schema,
        t,
        isRequired,
        hasFocus,
        field: fields?.[name],
        value: form.values[name],
        values: form.values,
        onChange: (value) => form.set(name, value),
        onBlur: () => afterPress(() => form.touch(name)),
        isInvalid: note?.isFault === true,
        isLocked: locked?.[name] !== undefined,
        barred: barred?.[name],
        describedBy: note || help ? `${id}-note` : undefined,
      })}
      {reasons.includes(name) && (
        <Reasons of={endpoint.name} value={form.values[name]} onPick={(text) => form.set(name, text)} />
      )}
      <NoteLine id={`${id}-note`} note={note} help={help} />
    </div>
  )
}

const reasons: readonly string[] = ['reason', 'note']

const drawn = (Input: ComponentType<InputProps>, props: InputProps) => <Input {...props} />

function NoteLine({ id, note, help }: { id: string; note: Note; help: string | undefined }) {
  if (!note && !help) return null
  const kind = !note ? 'field-rule' : note.isFault ? 'fault' : 'field-changed'
  return (
    <span id={id} className={kind}>
      {note?.text ?? help}
    </span>
  )
}

/** What to know before typing: a hint (of this very call first), else the rule, where it asks more than filling in. */
function helpOf(spec: FormSpec<WriteEndpoint>, name: string, kernel: Text<'kernel'>): string | undefined {
  const { t, endpoint } = spec
  const hints = [`hint.${endpoint.name.split('.')[1]}.${name}`, `hint.${name}`]
  const keys = hasOwnRule(endpoint.input.shape[name]) ? [...hints, `rule.${name}`] : hints
  const key = keys.find((each) => t.has(each))
  const said = key && t.any(key)
  if (!isMobile(insideOf(endpoint.input.shape[name]))) return said
  const rule = kernel(`rule.mobile.${mobileRule()}`)
  return said ? `${said} · ${rule}` : rule
}
