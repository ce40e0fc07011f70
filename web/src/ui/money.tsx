import { moneyText } from '@aisle/contract/kernel/text'
import { useLanguage } from './text'

/** @param fen whole fen */
export function Money({ fen }: { fen: number }) {
  return <span className="money">{moneyText(fen, useLanguage())}</span>
}
