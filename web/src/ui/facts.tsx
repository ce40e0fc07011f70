import type { ReactNode } from 'react'
import styles from './facts.module.css'

export type Fact = { label: string; value: ReactNode }

/** What is known of a thing, as pairs; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl data-part="facts" className={styles.facts}>
      {facts.map(
        ({ label, value }) =>
          value !== null &&
          value !== '' && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

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
