import { describe, expect, it } from 'vitest';
import { isAddressAllowed } from './address-policy.ts';

const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:254',
  'fd20:ce::254',
  'fe80::1',
  'fe80::1%eth0',
  '::ffff:169.254.169.254',
  '::ffff:100.100.100.200',
  '::169.254.169.254',
  '64:ff9b::169.254.169.254',
  '2002:a9fe:a9fe::1',
  '::ffff:0:169.254.169.254',
  '2001:0:4136:e378:8000:63bf:5601:5601', // Teredo, the client address is stored inverted
];
const nowhere = [
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '224.0.0.1',
  '239.255.255.250',
  'ff02::1',
  '255.255.255.255',
  '::ffff:0.0.0.0',
];
const ownNetworks = [
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  'fd12:3456::1',
  '::ffff:127.0.0.1',
  '::ffff:192.168.0.1',
];
const publicInternet = ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'];
const reserved = [
  '192.0.2.1',
  '198.18.0.1',
  '240.0.0.1',
  '2001:db8::1',
  '2002:808:808::1',
  '64:ff9b:1::808:808',
  'fec0::1',
  '4000::1',
  '::127.0.0.1',
];

describe('isAddressAllowed', () => {
  it.each([...metadata, ...nowhere])('never allows %s', (address) => {
    expect(isAddressAllowed(address, 'saved')).toBe(false);
    expect(isAddressAllowed(address, 'content')).toBe(false);
  });

  it.each(ownNetworks)('allows %s only when an administrator saved it', (address) => {
    expect(isAddressAllowed(address, 'saved')).toBe(true);
    expect(isAddressAllowed(address, 'content')).toBe(false);
  });

  it.each(publicInternet)('allows %s to everyone', (address) => {
    expect(isAddressAllowed(address, 'saved')).toBe(true);
    expect(isAddressAllowed(address, 'content')).toBe(true);
  });

  it.each(reserved)('does not take %s for a public address', (address) => {
    expect(isAddressAllowed(address, 'content')).toBe(false);
  });

  it.each(['', 'localhost', 'example.org', '1.2.3', '::g'])('refuses %j, which is no address', (address) => {
    expect(isAddressAllowed(address, 'saved')).toBe(false);
    expect(isAddressAllowed(address, 'content')).toBe(false);
  });
});
