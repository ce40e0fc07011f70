import { feeRuleFields, getFeeRule } from '@aisle/contract/settlement/fee'
import { percentText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { FeeVerbs } from './feeVerbs'
import styles from './settlement.module.css'

/** The terms with who agreed them and why, and all terms of the same merchant for the same before and after. */
export function FeeDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getFeeRule, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ subject, merchantName }) => `${t(`feeSubject.${subject}`)} · ${merchantName}`}
      head={({ state }) => <StateCell value={state} field={feeRuleFields.state} t={t} />}
      actions={(rule) => <FeeVerbs rule={rule} />}
    >
      {(rule) => (
        <>
          <Section title={t('section.terms')}>
            <Facts
              facts={[
                { label: t('field.ratePercent'), value: percentText(rule.ratePercent) },
                { label: t('field.minFen'), value: <Money fen={rule.minFen} /> },
                { label: t('field.belowMin'), value: t(`belowMin.${rule.belowMin}`) },
                { label: t('field.basis'), value: t(`feeBasis.${rule.basis}`) },
                { label: t('field.validFrom'), value: <Day on={rule.validFrom} /> },
                {
                  label: t('field.validTo'),
                  value: rule.validTo === null ? t('fact.never') : <Day on={rule.validTo} />,
                },
                { label: t('field.reason'), value: rule.reason },
                { label: t('field.agreedBy'), value: rule.agreedBy },
                { label: t('field.agreedAt'), value: <When at={rule.agreedAt} /> },
              ]}
            />
          </Section>
          <Section title={t('section.history')}>
            <ul className={styles.bookLines}>
              {rule.history.map(({ id: other, ratePercent, basis, minFen, validFrom }) => (
                <li key={other} aria-current={other === id || undefined}>
                  <strong>{percentText(ratePercent)}</strong>
                  <span>{t(`feeBasis.${basis}`)}</span>
                  <span>
                    {t('field.minFen')} <Money fen={minFen} />
                  </span>
                  <small>{t('history.from', { day: validFrom })}</small>
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </RowDrawer>
  )
}
