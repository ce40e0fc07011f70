import { getMerchantFees, type HeldFee } from '@aisle/contract/settlement/fee'
import { percentText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { AgreeFee } from './feeVerbs'
import styles from './settlement.module.css'

/** All that a merchant pays, by whose terms and since when; each opens the rules of that merchant for the same. */
export function MerchantFeesDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getMerchantFees, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ merchantName }) => merchantName}
      actions={(merchant) => <AgreeFee merchantId={merchant.id} />}
    >
      {({ held, coming }) => (
        <>
          <Section title={t('section.heldFees')}>
            <Fees fees={held} merchantId={id} />
          </Section>
          {coming.length > 0 && (
            <Section title={t('section.comingFees')}>
              <Fees fees={coming} merchantId={id} />
            </Section>
          )}
        </>
      )}
    </RowDrawer>
  )
}

function Fees({ fees, merchantId }: { fees: readonly HeldFee[]; merchantId: number }) {
  const t = useText('settlement')
  return (
    <ul className={styles.bookLines}>
      {fees.map((fee) => (
        <li key={fee.id}>
          <ScreenLink screen="cfgl/ptsxfsz" search={{ part: 'fees', open: String(fee.id) }}>
            {t(`feeSubject.${fee.subject}`)}
          </ScreenLink>
          <strong>{percentText(fee.ratePercent)}</strong>
          {fee.ratePercent > 0 && <span>{t(`feeBasis.${fee.basis}`)}</span>}
          {fee.ratePercent > 0 && fee.minFen > 0 && (
            <span>
              {t(`least.${fee.belowMin}`)} <Money fen={fee.minFen} />
            </span>
          )}
          <small>
            {t('held.of', { name: fee.ofId === merchantId ? t('held.own') : fee.ofName, day: fee.validFrom })}
          </small>
        </li>
      ))}
    </ul>
  )
}
