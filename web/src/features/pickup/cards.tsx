import type { ReleasedCode } from '@aisle/contract/pickup/batch'
import { createPortal } from 'react-dom'
import { businessDay } from '../../ui/days'
import { dayText } from '../../ui/timeText'
import { QrCode } from '../../ui/qrCode'
import { currentLocale, useText } from '../../ui/text'
import styles from './print.module.css'
import pickupStyles from './pickup.module.css'

/** In two groups, as it is read aloud and typed. */
export const spacedCode = (code: string): string => `${code.slice(0, 5)} ${code.slice(5)}`

type Card = Pick<ReleasedCode, 'id' | 'code' | 'serial' | 'description' | 'goods' | 'merchantName' | 'expiresAt'>

/** On paper only: cards to be cut, ten a page, each with the code in letters and for the machine's reader. */
export function Paper({ codes }: { codes: readonly Card[] }) {
  const t = useText('pickup')
  const sheet = (
    <div data-part="pickup-paper" className={styles.paper} aria-hidden="true">
      {codes.map(({ id, code, serial, description, goods, merchantName, expiresAt }) => (
        <article key={id}>
          <QrCode text={code} className={pickupStyles.qr} label={t('cards.qr')} />
          <div>
            <h2>{description}</h2>
            <p data-part="pickup-paper-code" className={styles.paperCode}>
              {spacedCode(code)}
            </p>
            <p>{goods}</p>
            <p>{t('cards.until', { day: lastDay(expiresAt) })}</p>
            <small>
              {merchantName} · {t('cards.serial', { serial })}
            </small>
          </div>
        </article>
      ))}
    </div>
  )
  return createPortal(sheet, document.body)
}

/** A code ends with a day; the instant after it would read as the next one. */
const lastDay = (expiresAt: string): string => dayText(businessDay(Date.parse(expiresAt) - 1), currentLocale())
