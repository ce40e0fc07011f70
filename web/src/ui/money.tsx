import { moneyText } from '@aisle/contract/kernel/text'
import { useLanguage } from './text'

/** @param fen whole fen */
export function Money({ fen }: { fen: number }) {
  return <span data-part="money">{moneyText(fen, useLanguage())}</span>
}
