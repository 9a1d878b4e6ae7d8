//! Certificates for a test: a CA, a server and a client that it signed, and a stranger's CA.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

/// PEM files, freshly made.
#[derive(Debug)]
pub struct Certificates {
    dir: PathBuf,
}

impl Certificates {
    /// Make them all in a folder.
    pub fn make(dir: &Path) -> Self {
        let (ca, ca_pem) = authority("flussctl test CA");
        let (_, stranger_pem) = authority("a stranger's CA");
        let made = Self { dir: dir.to_owned() };
        write(&made.ca(), &ca_pem);
        write(&made.stranger_ca(), &stranger_pem);
        for name in ["server", "client"] {
            let key = KeyPair::generate().expect("make a key");
            let mut params = CertificateParams::new(vec!["localhost".to_owned(), "127.0.0.1".to_owned()])
                .expect("name the certificate");
            params.distinguished_name.push(DnType::CommonName, name);
            let certificate = params.signed_by(&key, &ca).expect("sign the certificate");
            write(&dir.join(format!("{name}.crt.pem")), &certificate.pem());
            write(&dir.join(format!("{name}.key.pem")), &key.serialize_pem());
            // ZooKeeper wants a certificate and its key in one file.
            write(&dir.join(format!("{name}.pem")), &format!("{}{}", certificate.pem(), key.serialize_pem()));
        }
        made
    }

    /// Give the certificate of the CA that signed the server's and the client's.
    pub fn ca(&self) -> PathBuf {
        self.dir.join("ca.pem")
    }

    /// Give the certificate of a CA that signed none of them.
    pub fn stranger_ca(&self) -> PathBuf {
        self.dir.join("stranger-ca.pem")
    }

    /// Give the server's certificate and key in one file.
    pub fn server(&self) -> PathBuf {
        self.dir.join("server.pem")
    }

    /// Give the client's certificate.
    pub fn client_certificate(&self) -> PathBuf {
        self.dir.join("client.crt.pem")
    }

    /// Give the client's key.
    pub fn client_key(&self) -> PathBuf {
        self.dir.join("client.key.pem")
    }

    /// Give the client's certificate and key in one file, as a Java client's key store.
    pub fn client(&self) -> PathBuf {
        self.dir.join("client.pem")
    }
}

fn authority(name: &str) -> (Issuer<'static, KeyPair>, String) {
    let key = KeyPair::generate().expect("make a key");
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let pem = params.self_signed(&key).expect("sign the CA").pem();
    (Issuer::new(params, key), pem)
}

fn write(path: &Path, pem: &str) {
    fs::write(path, pem).unwrap_or_else(|e| panic!("write {}: {e}", path.display()));
}
