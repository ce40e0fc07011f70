import { countText } from '../../admin/fields/number'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import type { Detail } from './prescriptionDrawer'
import styles from './pharmacy.module.css'

/** Each medicine with its dose, and how much of it is left. */
export function Lines({ detail: { lines, uses } }: { detail: Detail }) {
  const t = useText('pharmacy')
  return (
    <ol className={styles.lines}>
      {lines.map((line) => (
        <li key={line.productId}>
          {line.picture ? <img src={line.picture} alt="" loading="lazy" /> : <span className={styles.blank} />}
          <div>
            <strong>{line.name}</strong>{' '}
            {line.medicineClass && (
              <Tag tone={line.medicineClass === 'rx' ? 'bad' : 'good'} word={t(`line.${line.medicineClass}`)} />
            )}
            <p>
              {t('line.use', {
                dose: countText(line.dose),
                unit: line.doseUnit,
                times: line.timesADay,
                days: line.days,
              })}
              {line.usage && ` · ${line.usage}`}
            </p>
            <small>{[line.specification, line.dosageForm, line.approvalNumber].filter(Boolean).join(' · ')}</small>
          </div>
          <div className={styles.packs}>
            <strong>× {line.quantity}</strong>
            <small>{t('line.left', { left: line.left, all: line.quantity * uses })}</small>
            {line.excess > 0 && <Tag tone="bad" word={t('line.excess', { count: line.excess })} />}
          </div>
        </li>
      ))}
    </ol>
  )
}
