import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { collectionFields, getCollection } from '@aisle/contract/payment/collection'
import { paymentAccountFields } from '@aisle/contract/payment/account'
import { paymentServiceFields } from '@aisle/contract/payment/service'
import { StateCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import styles from './payment.module.css'

type Detail = OutputOf<typeof getCollection>
type Way = Detail['providers'][number]['products'][number]

/** Which account collects at a machine, by provider and way of paying, and why none of the others does. */
export function CollectionDrawer({ id }: DrawerRow) {
  const t = useText('payment')
  const kit = useText('admin')
  const result = useEndpoint(getCollection, { id }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={({ machineCode, machineName }) => `${machineCode} · ${machineName}`}>
      {(machine) => (
        <>
          <Facts
            facts={[
              { label: t('field.merchantName'), value: machine.merchantName },
              {
                label: t('field.collectsPayment'),
                value: kit(machine.collectsPayment ? 'cell.yes' : 'cell.no'),
              },
            ]}
          />
          {machine.providers.map(({ provider, products }) => (
            <Section key={provider} title={t(`provider.${provider}`)}>
              <ul className={styles.ways}>
                {products.map((way) => (
                  <WayOfPaying key={way.product} way={way} />
                ))}
              </ul>
            </Section>
          ))}
        </>
      )}
    </RowDrawer>
  )
}

function WayOfPaying({ way: { product, isOn, by, considered } }: { way: Way }) {
  const t = useText('payment')
  return (
    <li>
      <div className={styles.line}>
        <strong data-hint={t(`product.${product}.help`)}>{t(`product.${product}`)}</strong>
        <span className="tags">
          {!isOn && <StateCell value="off" field={paymentServiceFields.state} t={t} />}
          <StateCell value={by} field={collectionFields.wechat} t={t} />
        </span>
      </div>
      {considered.length === 0 && <p className="quiet">{t('collection.none')}</p>}
      <ul className={styles.why}>
        {considered.map(({ accountId, merchantName, fundsMode, verdict }) => (
          <li key={accountId} className={verdict === 'collects' ? undefined : 'quiet'}>
            {t('account.number', { id: accountId })} · {merchantName} ·{' '}
            <StateCell value={fundsMode} field={paymentAccountFields.fundsMode} t={t} /> {t(`verdict.${verdict}`)}
          </li>
        ))}
      </ul>
      {by === 'reader' && considered.length > 0 && <p className="quiet">{t('collection.reader')}</p>}
    </li>
  )
}
