import type { ReactNode } from 'react'
import styles from './facts.module.css'

export type Fact = { label: string; value: ReactNode }

/** What is known of a thing, as pairs; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl data-part="facts" className={styles.facts}>
      {facts.map(
        ({ label, value }) =>
          isKnown(value) && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** A value that stands behind a condition is false where that doesn't hold. */
const isKnown = (value: ReactNode) => value !== null && value !== undefined && value !== false && value !== ''

/** Few figures in a row, each under its name. @param isBusy others are on their way */
export function Figures({ facts, isBusy = false }: { facts: readonly Fact[]; isBusy?: boolean }) {
  return (
    <dl data-part="figures" className={styles.figures} aria-busy={isBusy}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
