export type ApprovalForm = 'none' | 'old' | 'new' | 'unknown'

/** H chemical, Z traditional, S biological, J packed from imports; T, F and B are of the years before. */
const old = /^国药准字[HZSJTFB]\d{8}$/
/** Since 2020: with J for what comes from abroad and C for Hong Kong, Macao and Taiwan. */
const renewed = /^国药准字[HZS][JC]\d{8}$/

/**
 * How an approval number is formed. What is unknown is warned of and kept all the same: other forms came before and
 * will come after. Packs of one medicine share one number.
 */
export function approvalForm(typed: string): ApprovalForm {
  const number = typed.replace(/\s/g, '').toUpperCase()
  if (number === '') return 'none'
  if (old.test(number)) return 'old'
  return renewed.test(number) ? 'new' : 'unknown'
}
