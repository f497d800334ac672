/**
 * A browser that has subscribed to push messages: it decrypts them (RFC 8188, 8291) and checks the site's signature
 * (RFC 8292) without the library that made them.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PushSubscription } from '#shared/contract/push.ts';
import type { PushPayload } from '#shared/people/push-kinds.ts';

export interface ReceivedPush {
  headers: IncomingHttpHeaders;
  /** The message in base64. */
  body: string;
}

/** A browser's subscription, as the site gets it, and the key that the browser keeps. */
export interface PushBrowser {
  subscription: PushSubscription;
  /** The private key in base64url. */
  privateKey: string;
}

export function newPushBrowser(origin: string, name: string = randomUUID()): PushBrowser {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys('base64url');
  const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
  return { subscription: { endpoint: `${origin}/push/${name}`, keys }, privateKey: pair.getPrivateKey('base64url') };
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** @throws Error for a message to another browser */
export function decryptPush({ subscription: { keys }, privateKey }: PushBrowser, body: string): PushPayload {
  const bytes = Buffer.from(body, 'base64');
  const salt = bytes.subarray(0, 16);
  const recordSize = bytes.readUInt32BE(16);
  const keyLength = bytes.readUInt8(20);
  const senderKey = bytes.subarray(21, 21 + keyLength);
  const record = bytes.subarray(21 + keyLength);
  if (keyLength !== 65 || record.length > recordSize) throw new Error('The header of the message is not right');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey]);
  const inputKey = derive(pair.computeSecret(senderKey), Buffer.from(keys.auth, 'base64url'), info, 32);
  const contentKey = derive(inputKey, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(inputKey, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is not right');
  return JSON.parse(padded.subarray(0, end).toString('utf8')) as PushPayload;
}

interface VapidClaims {
  aud: string;
  exp: number;
  sub: string;
}

/** Claims of an Authorization header. @throws Error for a wrong signature */
export function verifyVapid(authorization = ''): { claims: VapidClaims; publicKey: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), *k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
  const signed = { key, dsaEncoding: 'ieee-p1363' } as const;
  const isRight = verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'));
  if (alg !== 'ES256' || !isRight) throw new Error('The signature is not right');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as VapidClaims, publicKey };
}
