import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'
import { countText } from '../../admin/fields/number'
import { When } from '../../admin/fields/time'
import { useText } from '../../ui/text'
import type { Detail } from './prescriptionDrawer'
import { RevealPatient } from './revealPatient'
import styles from './print.module.css'

/** On paper it looks as prescriptions do: A5, its kind in the corner, medicines with their doses, both names. */
export function PrintSheet({ detail }: { detail: Detail }) {
  const t = useText('pharmacy')
  const [name, setName] = useState(detail.patient)
  return (
    <>
      <button type="button" className="btn" onClick={() => window.print()}>
        {t('page.print')}
      </button>
      {name === detail.patient ? (
        <RevealPatient detail={detail} onShown={(patient) => setName(patient.name)} />
      ) : (
        <strong>{name}</strong>
      )}
      {createPortal(<Paper detail={detail} name={name} />, document.body)}
    </>
  )
}

function Paper({ detail, name }: { detail: Detail; name: string }) {
  const t = useText('pharmacy')
  const { decisions, lines } = detail
  const signed = decisions.find(({ verb }) => verb === 'approve')
  const hasRx = lines.some(({ medicineClass }) => medicineClass === 'rx')
  return (
    <article className={styles.paper} aria-hidden="true">
      <header>
        <span className={styles.kind}>{hasRx ? t('line.rx') : t('print.ordinary')}</span>
        <h1>{detail.hospitalName || detail.merchantName}</h1>
        <h2>{t('print.title')}</h2>
        <p className={styles.code}>{detail.code}</p>
      </header>
      <dl>
        <Pair name={t('field.patient')} value={name} />
        <Pair name={t('field.sex')} value={t(`sex.${detail.sex}`)} />
        <Pair name={t('field.age')} value={String(detail.age)} />
        <Pair name={t('field.department')} value={detail.department} />
        <Pair name={t('field.createdAt')} value={<When at={detail.submittedAt ?? detail.createdAt} />} />
        <Pair name={t('field.expiresAt')} value={<When at={detail.expiresAt} />} />
        <Pair name={t('field.condition')} value={detail.condition} />
      </dl>
      <p className={styles.mark}>Rp.</p>
      <ol>
        {lines.map((line) => (
          <li key={line.productId}>
            <strong>
              {line.name} {line.specification} × {line.quantity}
            </strong>
            <span>
              {t('line.use', {
                dose: countText(line.dose),
                unit: line.doseUnit,
                times: line.timesADay,
                days: line.days,
              })}
              {line.usage && ` · ${line.usage}`}
            </span>
          </li>
        ))}
      </ol>
      {detail.advice && <p>{detail.advice}</p>}
      <footer>
        <span>{t('print.amount', { count: lines.length })}</span>
        <span>
          {t('print.doctor')}: {detail.doctorName}
        </span>
        <span>
          {t('print.pharmacist')}: {signed ? `${signed.by} (${signed.licenceNumber})` : ''}
        </span>
        {signed && <small>{t('decision.hash', { hash: signed.contentHash })}</small>}
      </footer>
    </article>
  )
}

const Pair = ({ name, value }: { name: string; value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
