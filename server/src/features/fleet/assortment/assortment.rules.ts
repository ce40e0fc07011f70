/**
 * Whether a product may stand in a slot of the machine. What assortments name is a wish of the merchant, not a law: who
 * plans is warned and may go on (the law is planogram's, by licence mode and class of medicine).
 * @param allowed what the machine's assortments hold together; undefined where none holds for it
 */
export const mayPlace = (allowed: ReadonlySet<number> | undefined, productId: number): boolean =>
  allowed === undefined || allowed.has(productId)
