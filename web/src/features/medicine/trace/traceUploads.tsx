import {
  listTraceAccounts,
  listTraceUploads,
  putTraceAccount,
  resendTraceUpload,
  summariseTraceUploads,
  traceUploadFields,
  traceUploadState,
} from '@aisle/contract/medicine/traceUpload'
import { CommandButton } from '../../../admin/commandButton'
import { MerchantInput } from '../../../admin/form/refInput'
import { listPage } from '../../../admin/listPage'
import { Tally } from '../../../shelf/tally'
import type { ListAddress } from '../../../admin/useAddress'
import { useEndpoint } from '../../../live/query'
import { useText } from '../../../ui/text'

/** For whoever answers to the regulator, daily: what its platform refused and why, and what it was not told yet. */
export const TraceUploadList = listPage({
  screen: 'ypgl/yplb',
  part: 'uploads',
  list: listTraceUploads,
  fields: traceUploadFields,
  words: 'medicine',
  columns: [
    'trace',
    'kind',
    'state',
    'productName',
    'batch',
    'at',
    'reason',
    'problem',
    'tries',
    'nextTryAt',
    'answeredAt',
    'sentAt',
    'merchantName',
    'productCode',
  ],
  hidden: ['sentAt', 'tries', 'productCode', 'answeredAt'],
  filters: ['trace', 'state', 'kind'],
  moreFilters: ['productCode', 'merchantId'],
  summary: UploadTally,
  actions: AccountVerb,
  batch: [
    {
      endpoint: resendTraceUpload,
      verb: 'resendTraceUpload',
      can: ({ state }) => traceUploadState.can(state, 'resend'),
    },
  ],
  live: { kinds: ['traceUpload', 'traceAccount'], also: [summariseTraceUploads] },
})

const figures = [
  { name: 'refused', tone: 'bad', query: { state: 'refused' } },
  { name: 'queued', tone: 'idle', query: { state: 'queued' } },
  { name: 'sent', tone: 'warn', query: { state: 'sent' } },
  { name: 'accepted', tone: 'good', query: { state: 'accepted' } },
] as const

function UploadTally({ address }: { address: ListAddress }) {
  const t = useText('medicine')
  const { data } = useEndpoint(summariseTraceUploads, {}, { errors: 'silent' })
  return (
    <>
      <Tally
        label={t('upload.summary')}
        address={address}
        figures={figures.map((figure) => ({
          ...figure,
          word: t(`traceUploadState.${figure.name}`),
          count: data?.[figure.name],
        }))}
      />
      {data && data.unsendable > 0 && <p role="status">{t('upload.unsendable', { count: data.unsendable })}</p>}
    </>
  )
}

/** Who we are at the platform; a merchant without an account of its own speaks by the one above. */
function AccountVerb() {
  const t = useText('medicine')
  const { data } = useEndpoint(listTraceAccounts, {}, { errors: 'silent' })
  const [only] = data?.items ?? []
  const initial = only && data?.items.length === 1 ? only : null
  return (
    <CommandButton
      endpoint={putTraceAccount}
      verb="putTraceAccount"
      t={t}
      inputs={{ merchantId: MerchantInput }}
      fields={{ secret: { kind: 'secret' }, isOn: { kind: 'boolean' } }}
      initial={
        initial
          ? {
              merchantId: initial.merchantId,
              enterpriseNo: initial.enterpriseNo,
              address: initial.address,
              isOn: initial.isOn,
            }
          : { isOn: true }
      }
      changes={[listTraceAccounts, listTraceUploads, summariseTraceUploads]}
    />
  )
}
