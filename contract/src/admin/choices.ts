import { z } from 'zod'

/** What a field or filter offers; several at once in a filter of `zAnyOf` and in a list of kinds. */
export type Choices = { choices: readonly string[]; isSeveral: boolean }

/** Null where it takes what is no choice. */
export function choicesOf(schema: z.core.$ZodType | undefined): Choices | null {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  if (isWrapped) return choicesOf(schema.unwrap())
  const read = schema instanceof z.ZodCodec ? schema.out : schema
  const isSeveral = read instanceof z.ZodArray
  const one = isSeveral ? read.element : read
  return one instanceof z.ZodEnum ? { choices: one.options.map(String), isSeveral } : null
}
