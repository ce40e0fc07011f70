import { decideStep, type Difference, type Review, type stepVerbs } from '@aisle/contract/field/visit'
import { useState } from 'react'
import { call } from '../../../live/call'
import { moneyText } from '@aisle/contract/kernel/text'
import { useLanguage, useText } from '../../../ui/text'
import styles from './phone.module.css'

type Verb = (typeof stepVerbs)[number]

type Props = { reviews: readonly Review[]; onDecided: () => unknown }

/** What contradicts, both sides beside each other, and what may be decided. */
export function Reviews({ reviews, onDecided }: Props) {
  const t = useText('field')
  const [busy, setBusy] = useState<number | null>(null)
  if (reviews.length === 0) return <p className={styles.note}>{t('phone.noReviews')}</p>
  const decide = async (id: number, verb: Verb) => {
    setBusy(id)
    await call(decideStep, { id, verb }).catch(() => undefined)
    await onDecided()
    setBusy(null)
  }
  return (
    <ul className={styles.list}>
      {reviews.map((review) => (
        <li key={review.id} className={styles.card}>
          <strong>
            {t(`phone.step.${review.kind}`)} {review.machineCode} {review.slotCode}
          </strong>
          <span>
            {[review.productName, review.batch, review.pieces, review.who].filter((each) => each).join(' · ')}
          </span>
          {review.reason && <p className={styles.trouble}>{t('phone.notDone', { reason: review.reason })}</p>}
          {review.differs.map((each) => (
            <Sides key={each.kind} difference={each} />
          ))}
          <div className={styles.headRow}>
            {review.verbs.map((verb) => (
              <button
                key={verb}
                type="button"
                className={styles.second}
                disabled={busy !== null}
                onClick={() => void decide(review.id, verb)}
              >
                {t(`phone.decide.${verb}`)}
              </button>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Sides({ difference: { kind, said, books } }: { difference: Difference }) {
  const t = useText('field')
  const language = useLanguage()
  const isMoney = kind === 'priceChanged'
  const shown = (text: string) => (isMoney && text !== '' ? moneyText(Number(text), language) : text || '–')
  return (
    <div>
      <strong>{t(`difference.${kind}`)}</strong>
      <dl className={styles.sides}>
        <dt>{t('difference.said')}</dt>
        <dd>{shown(said)}</dd>
        <dt>{t('difference.books')}</dt>
        <dd>{shown(books)}</dd>
      </dl>
    </div>
  )
}
