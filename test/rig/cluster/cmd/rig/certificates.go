package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	certutil "k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/pkg/controller/bootstrap"
	"k8s.io/kubernetes/pkg/controller/certificates/approver"
	"k8s.io/kubernetes/pkg/controller/certificates/signer"
)

// Files in the rig's folder: the authority that signs client certificates, which all of its API servers trust.
const clientCA, clientCAKey = "client-ca.crt", "client-ca.key"

func writeClientCA(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca, err := certutil.NewSelfSignedCACert(certutil.Config{CommonName: "rig-client-ca"}, key)
	if err != nil {
		return err
	}
	if err := certutil.WriteCert(filepath.Join(dir, clientCA), pem.EncodeToMemory(&pem.Block{Type: certutil.CertificateBlockType, Bytes: ca.Raw})); err != nil {
		return err
	}
	private, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, clientCAKey), private, 0o600)
}

// startCertificates runs what a cluster needs to let others join: bootstrap tokens in cluster-info, signing of approved client
// certificates, approval of those that nodes ask for themselves. The functions it returns start it, once the informers run.
func startCertificates(ctx context.Context, dir string, client kubernetes.Interface, f informers.SharedInformerFactory) ([]func(), error) {
	requests := f.Certificates().V1().CertificateSigningRequests()
	ca, key := filepath.Join(dir, clientCA), filepath.Join(dir, clientCAKey)
	users, err := signer.NewKubeAPIServerClientCSRSigningController(ctx, client, requests, ca, key, 24*time.Hour)
	if err != nil {
		return nil, err
	}
	nodes, err := signer.NewKubeletClientCSRSigningController(ctx, client, requests, ca, key, 24*time.Hour)
	if err != nil {
		return nil, err
	}
	approve := approver.NewCSRApprovingController(ctx, client, requests)
	secrets, maps := f.Core().V1().Secrets(), f.Core().V1().ConfigMaps()
	sign, err := bootstrap.NewSigner(client, secrets, maps, bootstrap.DefaultSignerOptions())
	if err != nil {
		return nil, err
	}
	clean, err := bootstrap.NewTokenCleaner(client, secrets, bootstrap.DefaultTokenCleanerOptions())
	if err != nil {
		return nil, err
	}
	return []func(){
		func() { users.Run(ctx, 1) }, func() { nodes.Run(ctx, 1) }, func() { approve.Run(ctx, 1) },
		func() { sign.Run(ctx) }, func() { clean.Run(ctx) },
	}, nil
}
