import { getMenu } from '@aisle/contract/rights/menu'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { screenOf } from '@aisle/contract/screens'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { type ListAddress, useAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useTopic } from '../../live/topics'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { MenuEditor } from './menuEditor'
import { MenuTree } from './menuTree'
import { ResetMenu } from './menuVerbs'
import styles from './menu.module.css'
import rightsStyles from './rights.module.css'
import { classes } from '../../ui/classes'

const screen = screenOf('xtgl/cdgl')
const shape = { merchantId: z.coerce.number().int().positive().optional(), entry: z.string().optional() }

/** Shapes the application for people: names, order and what is shown, of the platform or one merchant. */
export default function MenuPage() {
  const t = useText('rights')
  const title = useText('screens')('xtgl/cdgl')
  const address = useAddress(screen.path, shape)
  const { merchantId, entry } = address.query
  const menu = useEndpoint(getMenu, merchantId ? { merchantId: Number(merchantId) } : {}, { errors: 'throw' })
  useTopic('rights', () => void menu.refetch())
  const { data, error } = menu
  const chosen = data?.items.find(({ key }) => key === entry)
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
        {data && (
          <>
            <MerchantChoice address={address} merchantId={data.merchantId} />
            <ResetMenu menu={data} />
          </>
        )}
      </header>
      {!data && error && <Failure failure={error} retry={() => void menu.refetch()} />}
      {!data && !error && <div className={classes('bone', rightsStyles.bone)} aria-hidden="true" />}
      {data && (
        <>
          <p className="quiet">{t(data.isPlatform ? 'menu.aboutPlatform' : 'menu.aboutMerchant')}</p>
          <div className={styles.parts}>
            <section className="list-card" aria-label={t('menu.tree')}>
              <MenuTree menu={data} chosen={entry ?? null} choose={(key) => address.change({ entry: key })} />
            </section>
            <section className={classes('list-card', styles.side)} aria-label={t('menu.entry')}>
              {chosen ? (
                <MenuEditor
                  key={`${data.merchantId} ${chosen.key} ${chosen.own ? 'own' : ''}`}
                  menu={data}
                  item={chosen}
                />
              ) : (
                <Empty icon="menu" title={t('menu.noEntry')} text={t('menu.noEntry.hint')} />
              )}
            </section>
          </div>
        </>
      )}
      <Hints />
    </div>
  )
}

/** Whose menu it is: who sees one merchant only has nothing to choose. */
function MerchantChoice({ address, merchantId }: { address: ListAddress; merchantId: number }) {
  const t = useText('rights')
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent' })
  if (!data || data.items.length < 2) return null
  return (
    <label className={styles.merchant}>
      {t('menu.of')}
      <select value={merchantId} onChange={(event) => address.show({ merchantId: event.target.value })}>
        {data.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
