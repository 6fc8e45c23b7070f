/** What the bundler puts in place of hashes written in JavaScript: Lambda's Node has OpenSSL's. */
class NoJavaScriptHash {
  constructor() {
    throw new Error('a hash written in JavaScript is not bundled: see infra/slim');
  }
}

export {
  NoJavaScriptHash as Crc64NvmeJs,
  NoJavaScriptHash as Md5Js,
  NoJavaScriptHash as Sha1Js,
  NoJavaScriptHash as Sha256Js,
};
