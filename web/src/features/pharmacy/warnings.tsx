import { patientFacts } from '@aisle/contract/pharmacy/prescription'
import type { Warning } from '@aisle/contract/pharmacy/medicine'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './pharmacy.module.css'

const grave: ReadonlySet<Warning['kind']> = new Set(['allergy', 'notFor', 'tooYoung', 'pair'])

/** What speaks against it, worst first. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  const t = useText('pharmacy')
  if (warnings.length === 0) return <p className="quiet">{t('warnings.none')}</p>
  return (
    <ul className={styles.warnings}>
      {warnings.map(({ kind, productIds, facts }) => {
        const fact = patientFacts.find((each) => each === facts.fact)
        const vars = fact ? { ...facts, fact: t(`patientFacts.${fact}`) } : facts
        return (
          <li
            key={`${kind}/${productIds.join()}/${JSON.stringify(facts)}`}
            className={grave.has(kind) ? styles.grave : ''}
          >
            <Icon name="alert" />
            {t.any(`warning.${kind}`, vars)}
          </li>
        )
      })}
    </ul>
  )
}
