import { countText } from '../../../admin/fields/number'
import { controlProps, type InputProps } from '../../../admin/form/input'
import { CodesArea } from '../../../shelf/codesArea'

export function TraceCodesInput(props: InputProps) {
  const { value, onChange, t } = props
  const codes = Array.isArray(value) ? value.map(String) : []
  return (
    <>
      <CodesArea {...controlProps(props)} rows={8} codes={codes} onCodes={onChange} />
      <small className="input-count">{t.any('trace.lines', { count: countText(codes.length) })}</small>
    </>
  )
}
