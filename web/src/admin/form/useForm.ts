import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Fields } from '@aisle/contract/kernel/field'
import { type ComponentType, useRef, useState } from 'react'
import type { z } from 'zod'
import type { CallFailure, FieldFault } from '../../live/failure'
import { useCommand } from '../../live/query'
import { type Text, useText } from '../../ui/text'
import type { Shape } from '../address'
import type { InputProps } from './input'
import { isMobile, mobileRule } from './mobile'
import { newerIn, overNewer } from './stale'
import { insideOf, isMissing, payloadOf, type Problem, problemsOf, type Values } from './schema'

export type WriteEndpoint = Endpoint & { input: z.ZodObject }
export type Group = { key: string; names: readonly string[] }

/** Which fields a form shows, and how. */
export type FormShape = {
  /** The catalog with `field.<name>`, `hint.<name>`, `rule.<name>` and `group.<key>`. */
  t: Text
  fields?: Fields
  /** In this order; every field of the input that is not in the target, when left out. */
  names?: readonly string[]
  /** Instead of `names`: with headings. */
  groups?: readonly Group[]
  /** Own inputs, by field. */
  inputs?: Readonly<Record<string, ComponentType<InputProps>>>
  /** Fields that mean nothing with these values: neither shown nor sent. */
  without?: (values: Values) => readonly string[]
  /** Fields that a rule of the whole asks for where they are shown, though each by itself may be empty. */
  needed?: readonly string[]
  /** Below the fields: what will come of all that is sent. */
  preview?: ComponentType<{ values: Values }>
  /** Fields that stay as they are, each with its reason. */
  locked?: Readonly<Record<string, string | undefined>>
  /** Choices that can't be had now: by field and value the reason. */
  barred?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export type FormSpec<E extends WriteEndpoint> = FormShape & {
  endpoint: E
  initial?: Values
  /** Sent along and not shown: the id, and the `version` that was read. */
  target?: Values
}

export const namesIn = ({ endpoint, names, groups, target = {} }: FormSpec<WriteEndpoint>): readonly string[] =>
  groups?.flatMap((group) => group.names) ??
  names ??
  Object.keys(endpoint.input.shape).filter((name) => !(name in target))

/**
 * The state of a form: what was typed, what is wrong with it, and what the server said. A form that is untouched
 * follows what is read; one that is being filled in keeps what was typed, whatever else happens.
 */
export function useForm<E extends WriteEndpoint>(
  spec: FormSpec<E>,
  onSaved: (output: OutputOf<E>, values: Values) => unknown,
) {
  const { endpoint, initial = {}, target = {} } = spec
  const words = useProblemWords(spec.t, spec.endpoint.input.shape)
  const [values, setValues] = useState<Values>(initial)
  const [base, setBase] = useState<Base>({ text: JSON.stringify([initial, target]), initial, target })
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isTried, setTried] = useState(false)
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const isDone = useRef(false)
  const command = useCommand(endpoint, {
    errors: 'throw',
    onSuccess: async (output) => {
      isDone.current = true
      setBase({ ...base, initial: values })
      setTouched(new Set())
      setTried(false)
      await onSaved(output, values)
    },
  })
  const isDirty = JSON.stringify(payloadOf({}, Object.keys(values), values)) !== textOf(base.initial)
  const text = JSON.stringify([initial, target])
  if (!isDirty && text !== base.text) {
    setBase({ text, initial, target })
    setValues(initial)
  }
  const names = shownOf(spec, values)
  const { fields = [] } = command.error ?? {}
  const payload = { ...base.target, ...payloadOf(endpoint.input.shape, names, values) }
  const problems = problemsIn(spec, names, values, payload)
  const { saidOf, goOnFrom } = useNewer({ values, setValues, base, setBase, fields })
  const stated = (name: string) => (edited.has(name) ? undefined : saidOf(name))

  return {
    values,
    names,
    isDirty: isDirty && !command.isPending,
    isDone,
    isPending: command.isPending,
    failure: command.error,
    /** Said by the server about fields that are not on the form. */
    loose: fields.filter(({ path }) => path !== 'version' && !names.some((name) => isAt(path, name))),
    set: (name: string, value: unknown) => {
      isDone.current = false
      setValues((before) => ({ ...before, [name]: value }))
      setEdited((before) => new Set(before).add(name))
    },
    touch: (name: string) => setTouched((before) => (before.has(name) ? before : new Set(before).add(name))),
    noteOf: (name: string): Note =>
      noteOf(stated(name), isTried || touched.has(name) ? problems.get(name) : undefined, name, words),
    whole: isTried && problems.has('') ? words('', problems.get('') ?? { reason: 'invalid' }) : undefined,
    isIncomplete: isTried && [...problems.values()].some(({ reason }) => reason === 'required'),
    payload,
    /** Says what is wrong, if anything. @returns whether nothing is */
    check: (): boolean => {
      setTried(true)
      return problems.size === 0
    },
    /** @returns whether it was sent */
    submit: (): boolean => {
      setTried(true)
      if (problems.size > 0 || command.isPending) return false
      setEdited(new Set())
      command.mutate(payload as CallOf<E>, { onError: goOnFrom })
      return true
    },
  }
}

/** What the endpoint's schema finds wrong, and fields that the form needs though the schema lets them be empty. */
function problemsIn(spec: FormSpec<WriteEndpoint>, names: readonly string[], values: Values, payload: Values) {
  const problems = problemsOf(spec.endpoint.input, payload)
  for (const name of spec.needed ?? []) {
    if (names.includes(name) && isMissing(values[name]) && !problems.has(name))
      problems.set(name, { reason: 'required' })
  }
  return problems
}

/** The row that the form is about, as it was read. */
type Base = { text: string; initial: Values; target: Values }

function shownOf(spec: FormSpec<WriteEndpoint>, values: Values): readonly string[] {
  const left = spec.without?.(values) ?? []
  return namesIn(spec).filter((name) => !left.includes(name))
}

/** A save over a newer row was refused: saving again writes what the person changed, and nothing they left alone. */
function useNewer(form: {
  values: Values
  setValues: (values: Values) => void
  base: Base
  setBase: (base: Base) => void
  fields: readonly FieldFault[]
}) {
  const { values, setValues, base, setBase, fields } = form
  const kit = useText('admin')
  const [taken, setTaken] = useState<readonly string[]>([])
  return {
    goOnFrom: (failure: CallFailure) => {
      const { version, now } = newerIn(failure.fields)
      if (version === null) return
      const newer = overNewer(values, base.initial, now)
      setValues(newer.values)
      setTaken(newer.taken)
      setBase({ ...base, initial: { ...base.initial, ...now }, target: { ...base.target, version } })
    },
    saidOf: (name: string): FieldFault | undefined => {
      const said = fields.find(({ path }) => isAt(path, name))
      const isTaken = said?.reason === 'changed' && taken.includes(name)
      return isTaken ? { ...said, msg: kit('form.taken') } : said
    },
  }
}

export type FormState = ReturnType<typeof useForm>

/** Beside a field: a fault, or what somebody else has made of it meanwhile. */
export type Note = { text: string; isFault: boolean } | null

function noteOf(
  said: FieldFault | undefined,
  problem: Problem | undefined,
  name: string,
  words: (name: string, problem: Problem) => string,
): Note {
  if (problem) return { text: words(name, problem), isFault: true }
  return said ? { text: said.msg, isFault: said.reason !== 'changed' } : null
}

const isAt = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`)
const textOf = (values: Values): string => JSON.stringify(payloadOf({}, Object.keys(values), values))

/** The rule of the field in the words of its domain, else what the kernel says of such a mistake. */
function useProblemWords(t: Text, shape: Shape): (name: string, problem: Problem) => string {
  const kernel = useText('kernel')
  return (name, { reason, vars = {}, rule: own }) => {
    if (reason !== 'required' && isMobile(insideOf(shape[name]))) return kernel(`rule.mobile.${mobileRule()}`)
    const rule = `rule.${own?.rule ?? name}`
    return reason !== 'required' && t.has(rule) ? t.any(rule) : kernel.any(`field.${reason}`, vars)
  }
}
