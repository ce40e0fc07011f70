import { expect, test } from 'vitest'
import { sign } from './carrier.aliyun'
import { authorization } from './carrier.tencent'

/** The examples that the providers' own documents calculate to the end; keys and results are printed there. */

test('TC3-HMAC-SHA256 as Tencent Cloud’s document calculates it (Signature v3, DescribeInstances)', () => {
  const signed = authorization({
    keyId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******',
    secret: 'Gu5t9xGARNpq86cd98joQYCN3*******',
    service: 'cvm',
    headers: { host: 'cvm.tencentcloudapi.com', 'content-type': 'application/json; charset=utf-8' },
    body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
    timestamp: 1_551_113_065,
  })
  expect(signed).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******/2019-02-25/cvm/tc3_request, ' +
      'SignedHeaders=content-type;host, ' +
      'Signature=2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c',
  )
})

test('HMAC-SHA1 as Alibaba Cloud’s document calculates it (SendSms, signed as a GET)', () => {
  const query = {
    AccessKeyId: 'testId',
    Action: 'SendSms',
    Format: 'XML',
    OutId: '123',
    PhoneNumbers: '15300000001',
    RegionId: 'cn-hangzhou',
    SignName: '阿里云短信测试专用',
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: '45e25e9b-0a6f-4070-8c85-2956eda1b466',
    SignatureVersion: '1.0',
    TemplateCode: 'SMS_71390007',
    TemplateParam: '{"customer":"test"}',
    Timestamp: '2017-07-12T02:42:19Z',
    Version: '2017-05-25',
  }
  expect(sign(query, 'testSecret', 'GET')).toBe('zJDF+Lrzhj/ThnlvIToysFRq6t4=')
})
