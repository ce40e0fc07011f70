import * as contract from '@aisle/contract/advert/creative'
import { needsWarning } from '@aisle/contract/advert/law'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { ScreenLink } from '../../admin/fields/ref'
import { listPage } from '../../admin/listPage'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import { sizeText, UploadInput } from './uploadInput'
import styles from './advert.module.css'

const changes = [contract.listCreatives, contract.getCreative] as const
const { creativeFields, creativeState } = contract

/** Pictures and videos; what waits for another person's look is a press away. */
export const Creatives = listPage({
  screen: 'gggl/cgggl',
  part: 'creatives',
  list: contract.listCreatives,
  fields: contract.creativeFields,
  words: 'advert',
  columns: [
    'name',
    'preview',
    'state',
    'media',
    'seconds',
    'advertised',
    'approvalNo',
    'bookings',
    'createdBy',
    'reviewedBy',
    'merchantName',
    'createdAt',
    'width',
    'height',
    'bytes',
    'sha256',
  ],
  hidden: ['merchantName', 'createdAt', 'width', 'height', 'bytes', 'sha256'],
  sortable: { createdAt: 'newest' },
  filters: ['q', 'state', 'advertised'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'toReview', query: () => ({ state: 'draft' }) }],
  actions: AddCreative,
  drawer: CreativeDrawer,
  live: { kinds: ['creative', 'advertBooking'], also: [contract.getCreative] as const },
})

function AddCreative() {
  const t = useText('advert')
  return (
    <CommandButton
      endpoint={contract.addCreative}
      verb="addCreative"
      t={t}
      tone="main"
      fields={{ ...creativeFields, uploadId: { kind: 'text' } }}
      inputs={{ uploadId: UploadInput }}
      initial={{ advertised: 'none', seconds: 10 }}
      changes={changes}
    />
  )
}

function CreativeDrawer({ id }: DrawerRow) {
  const t = useText('advert')
  const result = useEndpoint(contract.getCreative, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={creativeFields.state} t={t} />
        </div>
      )}
      actions={(creative) => <Verbs creative={creative} />}
    >
      {(creative) => (
        <>
          <Shown key={creative.id} creative={creative} />
          <About creative={creative} />
        </>
      )}
    </RowDrawer>
  )
}

type Props = { creative: contract.CreativeDetail }

/** Who made it does not review it; the words that its law wants are confirmed by who looked. */
function Verbs({ creative: { id, name, state, isOwn, advertised } }: Props) {
  const t = useText('advert')
  const common = { t, target: { id }, vars: { name }, changes }
  const mayReview = creativeState.can(state, 'approve') && !isOwn
  return (
    <>
      <CommandButton
        {...common}
        endpoint={contract.approveCreative}
        verb="approveCreative"
        tone="main"
        fields={creativeFields}
        names={needsWarning(advertised) ? ['showsWarning'] : []}
        isEnabled={mayReview}
      />
      <CommandButton
        {...common}
        endpoint={contract.turnDownCreative}
        verb="turnDownCreative"
        fields={creativeFields}
        isEnabled={mayReview}
      />
      <CommandButton
        {...common}
        endpoint={contract.withdrawCreative}
        verb="withdrawCreative"
        tone="danger"
        isEnabled={creativeState.can(state, 'withdraw')}
      />
    </>
  )
}

/** As machines show it. Its address holds for some minutes, so it is asked for when somebody looks. */
function Shown({ creative: { id, name, media } }: Props) {
  const t = useText('advert')
  const { data } = useEndpoint(contract.openCreative, { id }, { staleTime: 300_000 })
  return (
    <Section title={t('section.file')}>
      {data && contract.isVideo(media) && (
        <video className={styles.shown} src={data.url} aria-label={name} controls muted preload="metadata" />
      )}
      {data && !contract.isVideo(media) && <img className={styles.shown} src={data.url} alt={name} />}
    </Section>
  )
}

function About({ creative }: Props) {
  const t = useText('advert')
  const { media, width, height, bytes, seconds, sha256, advertised, approvalNo, turnedDownFor } = creative
  const { merchantName, createdBy, createdAt, reviewedBy, inBookings } = creative
  return (
    <Facts
      facts={[
        { label: t('field.turnedDownFor'), value: turnedDownFor },
        { label: t('field.advertised'), value: t(`advertised.${advertised}`) },
        { label: t('field.approvalNo'), value: approvalNo },
        { label: t('field.media'), value: `${t(`media.${media}`)} · ${media}` },
        { label: t('field.seconds'), value: String(seconds) },
        { label: t('field.size'), value: `${t('creative.pixels', { width, height })} · ${sizeText(bytes)}` },
        {
          label: t('field.inBookings'),
          value:
            inBookings.length > 0 &&
            inBookings.map((booking) => (
              <div key={booking.id}>
                <ScreenLink screen="gggl/cgggl" search={{ open: String(booking.id) }}>
                  {booking.name}
                </ScreenLink>
              </div>
            )),
        },
        { label: t('field.merchantName'), value: merchantName },
        { label: t('field.createdBy'), value: createdBy },
        { label: t('field.createdAt'), value: <When at={createdAt} /> },
        { label: t('field.reviewedBy'), value: reviewedBy },
        { label: t('field.sha256'), value: sha256 },
      ]}
    />
  )
}
