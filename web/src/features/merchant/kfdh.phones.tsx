import { listServicePhones, merchantFields, setServicePhone } from '@aisle/contract/merchant/merchant'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import styles from './phones.module.css'

const live = { kinds: ['merchant'], also: [] }

/** For administrators, when a number changes: which phone customers read on whose machines, and whose number it is. */
export default function ServicePhones() {
  const t = useText('merchant')
  const title = useText('screens')('shgl/kfdh')
  const { data, error, refetch } = useEndpoint(listServicePhones, {}, { errors: 'throw' })
  useLive(live, [listServicePhones])
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <p className="quiet">{t('merchant.phones.lead')}</p>
      {!data && error && <Failure failure={error} retry={() => void refetch()} />}
      {!data && !error && <div className="bone" />}
      <ul className={styles.phones}>
        {data?.items.map(({ id, way, code, machineCount, servicePhone, shown, shownFrom, version }) => (
          <li key={id}>
            <div className={styles.who} style={{ paddingInlineStart: (way.length - 1) * 18 }}>
              {way.at(-1)} <small className="quiet">{code}</small>
            </div>
            <div>
              <strong>{shown || t('merchant.phoneNone')}</strong>
              {shown && <small className="quiet"> {fromWhom(servicePhone, shownFrom)}</small>}
            </div>
            <CommandButton
              endpoint={setServicePhone}
              verb="setServicePhone"
              t={t}
              fields={merchantFields}
              target={{ id, version }}
              initial={{ servicePhone }}
              vars={{ name: way.at(-1) ?? '', count: machineCount }}
              changes={[listServicePhones]}
            />
          </li>
        ))}
      </ul>
      <Hints />
    </div>
  )

  function fromWhom(own: string, from: string | null): string {
    if (own) return t('merchant.phoneOwn')
    return from ? t('merchant.phoneFrom', { name: from }) : t('merchant.phoneAbove')
  }
}
