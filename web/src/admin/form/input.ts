import type { Field } from '@aisle/contract/kernel/field'
import type { z } from 'zod'
import type { Text } from '../../ui/text'
import type { Values } from './schema'

/** What a form hands to the input of a field. The label and what is said of the field stand around it. */
export type InputProps = {
  id: string
  name: string
  label: string
  /** As it goes over the wire; undefined, null or '' while it is empty. */
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  isInvalid: boolean
  isLocked: boolean
  /** Choices that can't be had now, each with its reason. */
  barred?: Readonly<Record<string, string>> | undefined
  isRequired: boolean
  hasFocus: boolean
  describedBy: string | undefined
  field: Field | undefined
  schema: z.core.$ZodType | undefined
  t: Text
  /** All values of the form, where one input depends on another. */
  values: Values
}

/** Of every native control. */
export const controlProps = (props: InputProps) => ({
  id: props.id,
  name: props.name,
  disabled: props.isLocked,
  autoFocus: props.hasFocus,
  required: props.isRequired,
  'aria-invalid': props.isInvalid || undefined,
  'aria-describedby': props.describedBy,
  onBlur: props.onBlur,
})
